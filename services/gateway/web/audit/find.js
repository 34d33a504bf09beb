// The way in: a search over finished rounds, an auditor's token, and a place to drop a bundle and what lies beside it.
import { coded, t } from "../i18n.js";
import { html } from "../lib.js";
import { Icon } from "../parts.js";
import { Auditor } from "./auditor.js";
import { Search } from "./search.js";
import { Witnessed } from "./witnessed.js";

/** @param {{fault: string|null, picked: (files: File[]) => void, own: any}} props `own`: what is kept here of a round that is not shown */
export const Find = ({ fault, picked, own }) => html`<main class="find"><h1>${t("audit.find")}</h1>
    ${fault && html`<p class="fault" role="alert">${coded("audit.fault", fault, { code: fault })}</p>`}${own}
    <p>${t("audit.search.hint")}</p>
    <${Search} /><${Auditor} /><${Drop} picked=${picked} /><${Witnessed} /></main>`;

/** @param {{picked: (files: File[]) => void, words?: string}} props */
export const Pick = ({ picked, words }) => html`<label class="btn pickfile"><${Icon} name="file" />${words ?? t("audit.openBundle")}<input class="vh" type="file" multiple onChange=${(event) => { const files = [...event.target.files]; if (files.length) picked(files); event.target.value = ""; }} /></label>`;

/** @param {{picked: (files: File[]) => void}} props */
const Drop = ({ picked }) => html`<section class="drop"><${Pick} picked=${picked} />
  <p class="small">${t("audit.dropped")}</p></section>`;
