// The verdict as a chip, and in full for a file that was dropped: what follows, what does not, what no file can prove.
import { ask } from "../api.js";
import { coded, t } from "../i18n.js";
import { cls, html, useEffect, useState } from "../lib.js";
import { Icon } from "../parts.js";

/** @param {{check: import("./check.js").Check}} props */
export function Chip({ check }) {
  const { report } = check;
  if (check.state === "checking") return html`<span class="ver busy" role="status">${t("audit.chip.checking", { n: check.percent })}</span>`;
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

/** What a dropped file proves. @param {{check: import("./check.js").Check, open: (file: File) => void}} props */
export function Checked({ check }) {
  const { report } = check;
  const known = useKeys();
  return html`<main class="checked"><h1>${t("audit.check")}</h1><p class="small">${check.name}</p><p class="verline"><${Chip} check=${check} /></p>
    ${report && report.verdict !== "proven" && html`<dl class="facts"><dt>${t("audit.check.detail")}</dt><dd>${report.detail}</dd><dt>${t("audit.check.kind")}</dt><dd>${report.kind}</dd>
      ${report.version !== null && html`<dt>${t("audit.check.at")}</dt><dd>#${report.version}</dd>`}</dl>`}
    ${report?.verdict === "proven" && html`<${Proof} report=${report} known=${known} />`}
    ${report?.table && html`<p><a class="btn" href=${`/audit?table=${report.table}&round=${report.round}`}>${t("audit.toTable")}</a></p>`}
    <${NotProven} /></main>`;
}

/** @param {{report: any, known: string[]}} props */
export function Proof({ report, known }) {
  return html`<dl class="facts"><dt>${t("audit.round", { n: report.round })}</dt><dd>${coded("game", report.game)} · ${report.table}</dd>
    <dt>${t("audit.row.record")}</dt><dd>${t("audit.check.records", { n: report.records })}</dd>
    <dt>${t("audit.check.points")}</dt><dd>${report.points.join(" : ")}</dd><dt>${t("audit.check.totals")}</dt><dd>${report.totals.join(" : ")}</dd>
    <dt>${t("audit.races")}</dt><dd>${report.races.length}</dd>
    <dt>${t("audit.check.sealed")}</dt><dd>${t("audit.check.size", { origin: report.checkpoint.origin, n: report.checkpoint.size })}</dd>
    <dt>${t("audit.check.signed")}</dt><dd><code>${report.signed_by}</code> <small>${t(known.includes(report.signed_by) ? "audit.check.trusted" : "audit.check.compare")}</small></dd></dl>`;
}

/** The keys that this site publishes. @returns {string[]} */
export function useKeys() {
  const [keys, set] = useState(/** @type {string[]} */ ([]));
  useEffect(() => { ask("GET", "/keys").then((answer) => { if (answer.ok) set(answer.value.keys ?? []); }); }, []);
  return keys;
}

export const NotProven = () => html`<section class="notproven"><h2>${t("audit.check.not")}</h2><ul>${["order", "hand", "deal", "start", "commit"].map((one) => html`<li key=${one}>${t(`audit.check.not.${one}`)}</li>`)}</ul>
  <p class="small">${t("audit.check.independent")} <br /><a class="getit" href="/verify_bundle.py" download>verify_bundle.py</a></p></section>`;
