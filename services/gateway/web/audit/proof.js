// What a proven bundle says, who signed it and who vouches for that, and what no such file can prove; a report shows the same.
import { ask } from "../api.js";
import { coded, t } from "../i18n.js";
import { html, useEffect, useState } from "../lib.js";

/** @param {{report: any}} props */
export function Proof({ report }) {
  return html`<dl class="facts"><dt>${t("audit.round", { n: report.round })}</dt><dd>${coded("game", report.game)} · ${report.table}</dd>
    <dt>${t("audit.check.all")}</dt><dd>${t("audit.check.records", { n: report.records })}</dd>
    <dt>${t("audit.check.points")}</dt><dd>${report.points.join(" : ")}</dd><dt>${t("audit.check.totals")}</dt><dd>${report.totals.join(" : ")}</dd>
    ${typeof report.follows === "number" && html`<dt>${t("audit.check.begun")}</dt><dd>${t("audit.check.follows", { n: report.follows })}</dd>`}
    <dt>${t("audit.races")}</dt><dd>${report.races.length}</dd>
    <dt>${t("audit.check.sealed")}</dt><dd>${t("audit.check.size", { origin: report.checkpoint.origin, n: report.checkpoint.size })}</dd>
    <dt>${t("audit.check.signed")}</dt><dd><${Signer} report=${report} /></dd></dl>`;
}

/** The key, and whether it is the one that was to be trusted or that this site publishes. @param {{report: any}} props */
export function Signer({ report }) {
  const known = useKeys();
  const words = report.trusted ? "audit.check.yours" : report.kind === "key" ? "audit.check.notYours" : known === null ? "audit.check.offline"
    : known.includes(report.signed_by) ? "audit.check.trusted" : "audit.check.compare";
  return html`<code>${report.signed_by}</code> <small>${t(words)}</small>`;
}

/** The keys that this site publishes; null while nobody answers. @returns {string[]|null} */
function useKeys() {
  const [keys, set] = useState(/** @type {string[]|null} */ (null));
  useEffect(() => { ask("GET", "/keys").then((answer) => { if (answer.ok) set(answer.value.keys ?? []); }); }, []);
  return keys;
}

export const NotProven = () => html`<section class="notproven"><h2>${t("audit.check.not")}</h2><ul>${["order", "hand", "deal", "start", "commit"].map((one) => html`<li key=${one}>${t(`audit.check.not.${one}`)}</li>`)}</ul>
  <p class="small">${t("audit.check.independent")} <br /><a class="getit" href="/verify_bundle.py" download>${location.host}/verify_bundle.py</a></p></section>`;
