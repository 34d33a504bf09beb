// Kwartet for the shell: its screen by phase, and what a change means. No rules: what is possible comes from the view.
import { t } from "../i18n.js";
import { html } from "../lib.js";
import { End } from "../kwartet/end.js";
import { changed } from "../kwartet/hear.js";
import { Line } from "../kwartet/line.js";
import { played } from "../kwartet/look.js";
import { Play } from "../kwartet/play.js";
import { Prepare } from "../kwartet/prepare.js";
import { stateOf } from "../kwartet/state.js";

/** @param {{table: any}} props */
function Screen({ table }) {
  switch (table.phase) {
    case "preparing": return html`<${Prepare} table=${table} />`;
    case "playing": return html`<${Play} table=${table} />`;
    case "scoring":
    case "over": return stateOf(table).lingers ? html`<${Play} table=${table} />` : html`<${End} table=${table} />`;
    default: return html`<${Stopped} table=${table} />`;
  }
}

/** The scorer could not verify the game: the table waits. */
const Stopped = ({ table }) => html`<div class="page kw"><${Line} table=${table} title=${t("game.kwartet")} />
  <main class="halted"><div role="status"><h2 class="h1">${t("stopped.title")}</h2><p class="lead">${t("stopped.line")}</p></div>
    ${table.public.reason && html`<p class="small">${table.public.reason}</p>`}<a class="btn" href=${`/audit?table=${table.id}&round=${played(table.public)}`}>${t("stop.lookBack")}</a></main></div>`;

export default { name: "kwartet", css: "kwartet.css", Screen, changed };
