// Quatro for the shell: its screen by phase, and what a change means. No rules: what is possible comes from the view.
import { t } from "../i18n.js";
import { html } from "../lib.js";
import { redraw } from "../state.js";
import { changed } from "../quatro/hear.js";
import { played } from "../quatro/look.js";
import { Line } from "../quatro/line.js";
import { Play } from "../quatro/play.js";
import { Prepare } from "../quatro/prepare.js";
import { frozenClock, LookBack, Stop } from "../quatro/stop.js";
import { stateOf } from "../quatro/state.js";
import { Win } from "../quatro/win.js";

/** @param {{table: any}} props */
function Screen({ table }) {
  const state = stateOf(table);
  switch (table.phase) {
    case "preparing": return html`<${Prepare} table=${table} />`;
    case "playing": return html`<${Play} table=${table} />`;
    case "over": if (state.winSeen || !table.public.last_round) return html`<${Win} table=${table} />`;
    // falls through: the stop is seen before the win
    case "scoring":
    case "break": return html`<${Stop} key=${played(table.public)} table=${table} done=${() => { state.winSeen = true; redraw(); }} />`;
    default: return html`<${Stopped} table=${table} />`;
  }
}

/** The scorer could not verify the round: the table waits. */
const Stopped = ({ table }) => html`<div class="page"><${Line} table=${table} label="top.stopped" frozen=${0} />
  <main class="halted"><h2 class="h1">${t("stopped.title")}</h2><p class="lead">${t("stopped.line")}</p>
    ${table.public.reason && html`<p class="small">${table.public.reason}</p>`}<${LookBack} table=${table} /></main></div>`;

export default {
  name: "quatro",
  css: "quatro.css",
  settings: ["swapCalls", "sayEverySwap"],
  Screen,
  /** @param {any} table @param {any} before @param {any[]} news */
  changed(table, before, news) {
    const stopping = before?.public.phase === "playing" && table.phase !== "playing";
    if (stopping) stateOf(table).frozen = frozenClock(before);
    // Who comes back to a stopped round finds it as it ends, not played again.
    if (!before && table.phase !== "playing" && table.phase !== "preparing") Object.assign(stateOf(table), { stopSeen: true, flown: true, winSeen: true });
    return changed(table, before, news);
  },
};
