// The receipts that this device itself keeps of the round: in the log, or missing; and as a file for others to check with.
import { t } from "../i18n.js";
import { cls, html } from "../lib.js";
import { Icon } from "../parts.js";
import { asFile } from "../receipts.js";
import { give } from "./check.js";

/** @param {{own: import("../receipts.js").Kept[], report: any, name: string}} props `report` null: not checked, or not yet */
export function Own({ own, report, name }) {
  if (!own.length) return null;
  const cut = isCut(report);
  return html`<section class=${cls("own", { cut })}><div role=${cut ? "alert" : "status"}>${said(own, report).map((words) => html`<p key=${words}>${words}</p>`)}</div>
    <button type="button" class="btn" onClick=${() => give(name, [asFile(own)], "application/json")}><${Icon} name="down" />${t("audit.own.save")}</button></section>`;
}

/** Signed, and not in the round. @param {any} report @returns {import("./verify/receipts.js").Vouched[]} */
const lost = (report) => (report?.receipts ?? []).filter((/** @type {any} */ one) => one.version === null && one.key);

/** Whether a signed record is not there, which comes before everything else that is said. @param {any} report */
export const isCut = (report) => lost(report).length > 0;

/** @param {import("../receipts.js").Kept[]} own @param {any} report */
function said(own, report) {
  if (!report) return [t("audit.own", { n: own.length })];
  const { receipts } = report;
  if (!receipts.length) return [t("audit.own", { n: own.length }), t("audit.receipts.later")];
  const found = receipts.filter((/** @type {any} */ one) => one.version !== null).length;
  const missing = lost(report).length;
  const counts = { missing, found, nothing: receipts.length - found - missing };
  return Object.entries(counts).filter(([, n]) => n > 0).map(([what, n]) => t(`audit.own.${what}`, { n }));
}
