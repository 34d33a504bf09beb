// What a dropped file proves, in full: what follows, what does not, what the receipts beside it say, what no file can prove.
import { t } from "../i18n.js";
import { html } from "../lib.js";
import { Beside } from "./beside.js";
import { Chip } from "./chip.js";
import { NotProven, Proof, Signer } from "./proof.js";
import { Receipts } from "./receipts.js";

/** @param {{check: import("./check.js").Check, picked: (files: File[]) => void, trust: (key: string) => void}} props */
export function Checked({ check, picked, trust }) {
  const { report, unread } = check;
  return html`<main class="checked"><h1 tabindex="-1">${t("audit.check")}</h1>${check.name && html`<p class="small">${[check.name, ...check.beside].join(" · ")}</p>`}<p class="verline"><${Chip} check=${check} /></p>
    ${check.state === "waiting" && html`<p>${t("audit.beside.waiting", { name: check.beside.join(", ") || t("audit.beside.key") })}</p>`}
    ${unread && html`<p class="fault" role="alert">${t(`audit.beside.unread.${unread.kind}`, { detail: unread.detail })}</p>`}
    ${report && report.verdict !== "proven" && html`<${Difference} report=${report} />`}
    ${report?.verdict === "proven" && html`<${Proof} report=${report} />`}
    ${report && html`<${Receipts} report=${report} given=${check.receipts.length > 0} />`}
    <${Beside} check=${check} picked=${picked} trust=${trust} />
    ${report?.table && html`<p><a class="btn" href=${`/audit?table=${report.table}&round=${report.round}`}>${t("audit.toTable")}</a></p>`}
    <${NotProven} /></main>`;
}

function Difference({ report }) {
  return html`<dl class="facts">${report.table && html`<dt>${t("audit.round", { n: report.round })}</dt><dd>${report.table}</dd>`}
      <dt>${t("audit.check.detail")}</dt><dd>${report.detail}</dd><dt>${t("audit.check.kind")}</dt><dd>${report.kind}</dd>
      ${report.version !== null && html`<dt>${t("audit.check.at")}</dt><dd>#${report.version}</dd>`}
      ${report.signed_by && html`<dt>${t("audit.check.signed")}</dt><dd><${Signer} report=${report} /></dd>`}</dl>`;
}
