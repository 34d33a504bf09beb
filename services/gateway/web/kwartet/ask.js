// Choosing a hole and a player. Nothing is decided here: what may be asked comes from `can_ask`, the view says what came of it.
import { coded, margin, t } from "../i18n.js";
import { cls, html } from "../lib.js";
import { say } from "../say.js";
import { play } from "../sound.js";
import { redraw } from "../state.js";
import { askable, look, same } from "./look.js";
import { inWords } from "./names.js";
import { stateOf } from "./state.js";

const REFUSED_MS = 4000;

/** @param {any} table @param {import("./look.js").CardOf} card */
export function tapHole(table, card) {
  const at = look(table);
  const state = stateOf(table);
  if (state.sent || !table.open || !askable(at, card).length) return;
  state.refused = "";
  if (state.to !== null && askable(at, card).includes(state.to)) return ask(table, state.to, card);
  state.hole = same(state.hole, card) ? null : card;
  redraw();
}

/** @param {any} table @param {number} seat */
export function tapPlayer(table, seat) {
  const at = look(table);
  const state = stateOf(table);
  if (state.sent || !table.open || !mayAsk(table, seat)) return;
  state.refused = "";
  if (state.hole) return ask(table, seat, state.hole);
  state.to = state.to === seat || !at.mine ? null : seat;
  redraw();
}

/** Whether this player may be asked: for the hole that is chosen, or for anything. @param {any} table @param {number} seat */
export function mayAsk(table, seat) {
  const at = look(table);
  const { hole } = stateOf(table);
  return hole ? askable(at, hole).includes(seat) : at.can.some((one) => one.seat === seat && one.cards.length > 0);
}

/** @param {any} table */
export function letGo(table) {
  Object.assign(stateOf(table), { hole: null, to: null, refused: "" });
  redraw();
}

/** @param {any} table @param {number} seat @param {import("./look.js").CardOf} card */
async function ask(table, seat, card) {
  const state = stateOf(table);
  const sent = { seat, card };
  Object.assign(state, { sent, hole: card, to: seat });
  redraw();
  const verdict = await table.send({ type: "Ask", seat, card });
  if (state.sent === sent) Object.assign(state, { sent: null, hole: null, to: null });
  if (!verdict.accepted) refused(table, verdict);
  redraw();
}

/** A question that did not count costs nothing; why it did not is said where it was asked. @param {any} table @param {import("../types.js").Verdict} verdict */
function refused(table, verdict) {
  const state = stateOf(table);
  const { refused: code = "unknown", lost_to: lost } = verdict;
  const late = code === "not_your_turn" && lost ? t("kw.late", { margin: margin(lost.margin_us) }) : coded("refused", code);
  state.refused = late;
  play("refused");
  say(late);
  setTimeout(() => {
    if (state.refused !== late) return;
    state.refused = "";
    redraw();
  }, REFUSED_MS);
}

/** The bar at the thumb: what is asked for, and whom. */
export function AskBar({ table, at }) {
  const state = stateOf(table);
  if (at.watching || !at.mine) return html`<div class="askbar quiet" role="group" aria-label=${t("kw.ask")}><p>${waiting(table, at, state)}</p><${Pass} table=${table} at=${at} /></div>`;
  const words = state.refused ? html`<span class="refusedline">${state.refused}</span>`
    : state.sent ? t("kw.asking", { name: table.name(state.sent.seat) })
    : state.hole ? html`${t("kw.askFor")} <b lang=${at.view.pack.language}>${inWords(at.view, state.hole)}</b>`
    : state.to !== null ? t("kw.tapHole", { name: table.name(state.to) }) : t("kw.tapAny");
  return html`<div class="askbar" role="group" aria-label=${t("kw.ask")}><p>${words}</p>
    <div class=${`choices c${at.around.length}`}>${at.around.map((seat, i) => html`<${Whom} key=${seat} table=${table} at=${at} seat=${seat} place=${i} state=${state} />`)}</div></div>`;
}

function Whom({ table, at, seat, place, state }) {
  const may = mayAsk(table, seat);
  const { cards } = at.view.seats[seat];
  const main = may && (state.hole !== null || state.to === seat);
  return html`<button type="button" class=${cls("btn", { main, sent: state.sent?.seat === seat })} aria-disabled=${!may || state.sent !== null} aria-pressed=${state.to === seat} onClick=${() => tapPlayer(table, seat)}>
    <span class="nm1">${table.name(seat)}</span><small>${cards ? t("kw.cards", { n: cards }) : t("kw.out")}</small><kbd aria-hidden="true">${place + 1}</kbd></button>`;
}

/** What stands in the bar when I can't ask. */
function waiting(table, at, state) {
  const { view } = at;
  if (state.refused) return html`<span class="refusedline">${state.refused}</span>`;
  if (view.phase !== "playing" || view.turn === null) return t("kw.ends");
  const name = table.name(view.turn);
  if (at.watching) return html`${t("kw.watching")}${view.seats.some((seat) => !seat.player) && html` <small>${t("kw.watchingFree")}</small>`}`;
  return at.hand.length || view.stock ? t("kw.listen", { name }) : t("kw.youAreOut");
}

/** Where turns have no limit the host may pass one (K-DISC-1); whether it may be now is the table's word. */
function Pass({ table, at }) {
  const { turn, phase } = at.view;
  if (phase !== "playing" || turn === null || at.mine || !table.can("PassAbsent")) return null;
  const pass = async () => {
    const verdict = await table.send({ type: "PassAbsent" });
    if (!verdict.accepted) refused(table, verdict);
    redraw();
  };
  return html`<button type="button" class="btn push" onClick=${pass}>${t("kw.pass", { name: table.name(turn) })}</button>`;
}
