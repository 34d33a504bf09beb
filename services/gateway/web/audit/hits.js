// What a search found: of each who wanted what, why not, when and by how much; a link to its record.
import { coded, margin, t } from "../i18n.js";
import { html } from "../lib.js";
import { locale } from "./book.js";
import { code } from "./tell.js";

export const Hits = ({ hits }) => html`<ol>${hits.map((hit) => html`<li key=${`${hit.table} ${hit.version}`}><${Hit} hit=${hit} /></li>`)}</ol>`;

function Hit({ hit }) {
  const when = new Date(hit.at / 1000).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "medium" });
  const seat = hit.seat === null ? null : t("audit.seat", { n: hit.seat + 1 });
  const who = hit.name && seat ? `${hit.name} (${seat})` : hit.name ?? seat;
  return html`<a class="found" href=${`/audit?table=${hit.table}&round=${hit.round}&at=${hit.version}`}>
    <span><b>${coded("game", hit.game)}, ${t("audit.round", { n: hit.round })}</b> <small>${when}</small></span>
    <span>${[who, coded("audit.command", hit.command, { code: hit.command }), code(hit.code)].filter(Boolean).join(" · ")}</span>
    <b>${hit.margin_us === null ? "" : margin(hit.margin_us)}</b></a>`;
}
