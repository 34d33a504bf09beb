// Choosing a card and a place. Nothing is decided here: the pair is sent with the card aimed at, the view says what came of it.
import { left, now } from "../clock.js";
import { margin, t } from "../i18n.js";
import { say } from "../say.js";
import { play } from "../sound.js";
import { redraw } from "../state.js";
import { stateOf } from "./state.js";

const TAG_MS = 2500;

/** @param {any} table @param {string} card of my hand */
export function tapHand(table, card) {
  const state = stateOf(table);
  if (state.sent || !table.open) return;
  state.refused = null;
  if (state.place !== null) return aim(table, card, state.place);
  state.card = state.card === card ? null : card;
  redraw();
}

/** @param {any} table @param {number} place of the centre */
export function tapPlace(table, place) {
  const state = stateOf(table);
  if (state.sent || !table.open) return;
  state.refused = null;
  if (state.card !== null) return aim(table, state.card, place);
  state.place = state.place === place ? null : place;
  redraw();
}

/** @param {any} table */
export function letGo(table) {
  const state = stateOf(table);
  Object.assign(state, { card: null, place: null, held: null, refused: null });
  redraw();
}

/** A pair is complete: sent at once, or when my wait ends (Q-SWAP-4 is the server's; `swap_ready_at` tells). @param {any} table @param {string} card @param {number} place */
export function aim(table, card, place) {
  const state = stateOf(table);
  const pair = { card, place, aimed_at: table.public.centre[place] };
  if (!table.can("SwapCard") || !pair.aimed_at) return;
  state.card = card;
  state.place = null;
  const ready = table.public.seats[table.seat].swap_ready_at;
  if (!ready || ready <= now()) return send(table, pair);
  state.held = pair;
  state.flash += 1;
  setTimeout(() => { if (state.held === pair) send(table, pair); }, left(ready) + 20);
  redraw();
}

/** @param {any} table @param {{card: string, place: number, aimed_at: string}} pair */
async function send(table, pair) {
  const state = stateOf(table);
  state.held = null;
  // The aim is a card: what changed under the finger is not swapped for another.
  if (table.public.centre[pair.place] !== pair.aimed_at || !table.own?.hand.includes(pair.card)) return redraw();
  const sent = { ...pair, at: performance.now() };
  state.sent = sent;
  redraw();
  setTimeout(redraw, 310);
  const verdict = await table.send({ type: "SwapCard", ...pair });
  if (state.sent === sent) state.sent = null;
  if (!verdict.accepted) refused(table, pair, verdict);
  redraw();
}

/** @param {any} table @param {{card: string, place: number}} pair @param {import("../types.js").Verdict} verdict */
function refused(table, pair, verdict) {
  const state = stateOf(table);
  if (verdict.refused === "too_soon") {
    state.flash += 1;
    return;
  }
  if (verdict.refused !== "card_gone" || state.card !== pair.card) return;
  const tag = { place: pair.place, text: lostTo(table, verdict) };
  state.refused = tag;
  play("refused");
  say(`${heard(table, verdict)} ${t("say.costNothing")}`);
  setTimeout(() => {
    if (state.refused !== tag) return;
    state.refused = null;
    redraw();
  }, TAG_MS);
}

/** "Cas, 1.2 ms faster" @param {any} table @param {import("../types.js").Verdict} verdict */
function lostTo(table, { lost_to }) {
  if (!lost_to) return t("refused.card_gone");
  if (lost_to.by === "house") return t("swap.reshuffled");
  return t("swap.faster", { name: table.name(lost_to.seat ?? 0), margin: margin(lost_to.margin_us) });
}

/** @param {any} table @param {import("../types.js").Verdict} verdict */
function heard(table, verdict) {
  const { lost_to } = verdict;
  if (lost_to?.seat === undefined) return lostTo(table, verdict) + ".";
  return t("say.faster", { name: table.name(lost_to.seat), margin: margin(lost_to.margin_us) });
}
