// Of each receipt that lay beside a bundle: in the log, as what; or missing, which proves the cut.
import { t } from "../i18n.js";
import { cls, html } from "../lib.js";
import { Icon } from "../parts.js";

/** @param {{report: any, given: boolean}} props */
export function Receipts({ report, given }) {
  const { receipts, other_receipts: others } = report;
  if (!given) return null;
  return html`<section class="receipts"><h2>${t("audit.receipts")}</h2>
    ${!receipts.length && !others && html`<p>${t(report.verdict === "proven" ? "audit.receipts.none" : "audit.receipts.later")}</p>`}
    <ol>${receipts.map((one, i) => html`<li key=${i} class=${cls({ cut: one.version === null && one.key })}>
      <${Icon} name=${one.version === null ? "x" : one.key ? "ok" : "help"} /><code>${String(one.receipt).slice(0, 16)}…</code><span>${said(one)}</span></li>`)}</ol>
    ${others > 0 && html`<p class="small">${t("audit.receipts.others", { n: others })}</p>`}</section>`;
}

/** @param {import("./verify/receipts.js").Vouched} one */
function said({ version, key, accepted }) {
  if (version === null) return key ? t("audit.receipts.missing", { key }) : t("audit.receipts.nothing");
  const found = t(accepted ? "audit.receipts.accepted" : "audit.receipts.refused", { n: version });
  return key ? found : `${found} ${t("audit.receipts.unsigned")}`;
}
