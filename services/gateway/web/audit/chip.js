// The verdict as a chip.
import { t } from "../i18n.js";
import { cls, html } from "../lib.js";
import { Icon } from "../parts.js";

/** @param {{check: import("./check.js").Check, report?: any}} props */
export function Chip({ check, report = check.report }) {
  if (check.state === "checking") return html`<span class="ver busy" role="status">${t("audit.chip.checking", { n: check.percent })}</span>`;
  if (check.state === "waiting") return html`<span class="ver off" role="status">${t("audit.chip.waiting")}</span>`;
  if (check.state === "done" && !report) return html`<span class="ver unknown" role="status"><${Icon} name="help" />${t("audit.chip.unknown")}</span>`;
  if (check.state !== "done") return html`<span class="ver off" role="status">${t(check.state === "unsealed" ? "audit.chip.unsealed" : "audit.chip.failed")}</span>`;
  const proven = report.verdict === "proven";
  return html`<span class=${cls("ver", report.verdict)} role="status"><${Icon} name=${proven ? "ok" : report.verdict === "wrong" ? "x" : "help"} />
    ${proven ? html`<span class="narrow">${t("audit.chip.proven")}</span><span class="wide">${t("audit.chip.proven.long")}</span>` : words(report)}</span>`;
}

/** @param {any} report */
function words(report) {
  if (report.verdict === "unknown") return t("audit.chip.unknown");
  return report.version === null ? t("audit.chip.wrongFile", { kind: report.kind }) : t("audit.chip.wrong", { n: report.version });
}
