// What a dropped file proves, in full: what follows, what does not, what the receipts beside it say, what no file can prove.
import { t } from "../i18n.js";
import { html } from "../lib.js";
import { Beside } from "./beside.js";
import { Chip } from "./chip.js";
import { NotProven, Proof, Signer } from "./proof.js";
import { Receipts } from "./receipts.js";

/** @param {{check: import("./check.js").Check, picked: (files: File[]) => void, trust: (key: string) => void}} props */
export function Checked({ check, picked, trust }) {
  const { report, reports, unread } = check;
  const one = reports.length < 2;
  return html`<main class="checked"><h1 tabindex="-1">${t(one ? "audit.check" : "audit.check.several")}</h1>${check.name && html`<p class="small">${[check.name, ...check.beside].join(" · ")}</p>`}${one && html`<p class="verline"><${Chip} check=${check} /></p>`}
    ${check.state === "waiting" && html`<p>${t("audit.beside.waiting", { name: check.beside.join(", ") || t("audit.beside.key") })}</p>`}
    ${unread && html`<p class="fault" role="alert">${t(`audit.beside.unread.${unread.kind}`, { detail: unread.detail })}</p>`}
    ${reports.map((each, i) => html`<section key=${i} class="onechecked">${!one && html`<h2>${each.round === null ? t("audit.check.none") : t("audit.round", { n: each.round })}</h2><p class="verline"><${Chip} check=${check} report=${each} /></p>`}<${Told} report=${each} given=${check.receipts.length + check.own.length > 0} /></section>`)}
    <${Beside} check=${check} picked=${picked} trust=${trust} />
    ${report?.table && html`<p><a class="btn" href=${`/audit?table=${report.table}&round=${report.round}`}>${t("audit.toTable")}</a></p>`}
    <${NotProven} /></main>`;
}

/** One report. */
function Told({ report, given }) {
  return html`${report.verdict === "proven" ? html`<${Proof} report=${report} />` : html`<${Difference} report=${report} />`}
    <${Receipts} report=${report} given=${given} />`;
}

function Difference({ report }) {
  return html`<dl class="facts">${report.table && html`<dt>${t("audit.round", { n: report.round })}</dt><dd>${report.table}</dd>`}
      <dt>${t("audit.check.detail")}</dt><dd>${report.detail}</dd><dt>${t("audit.check.kind")}</dt><dd>${report.kind}</dd>
      ${report.version !== null && html`<dt>${t("audit.check.at")}</dt><dd>#${report.version}</dd>`}
      ${report.signed_by && html`<dt>${t("audit.check.signed")}</dt><dd><${Signer} report=${report} /></dd>`}</dl>`;
}
