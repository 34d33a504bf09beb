// Calls that came too late: after the Award everyone who played the round is told whose they were, and by how much (Q-STOP-1).
import { ask } from "../api.js";
import { margin, t } from "../i18n.js";
import { say } from "../say.js";
import { me } from "../settings.js";
import { redraw } from "../state.js";
import { stateOf } from "./state.js";

/** What was found is indexed a moment after the Award. */
const AGAIN_MS = 2000;
const ASKED_MAX = 20;

/** @typedef {{seat: number, call: string, margin: number}} Late */

/** Asks for the late calls of the round that was just awarded. @param {any} table @param {number} round @param {boolean} [again] */
export async function lateCalls(table, round, again = false) {
  if (table.seat === null || !me.token) return;
  const state = stateOf(table);
  const answer = await ask("GET", `/audit/search?table=${table.id}&kind=lost_call&limit=${ASKED_MAX}`);
  if (stateOf(table) !== state) return; // another round has begun
  const hits = answer.ok ? answer.value.hits : [];
  const late = hits.filter((hit) => hit.round === round && hit.code === "round_over" && hit.seat !== null);
  if (!late.length && !again) return void setTimeout(() => lateCalls(table, round, true), AGAIN_MS);
  for (const hit of late.toReversed()) note(table, { seat: hit.seat, call: hit.command, margin: hit.margin_us });
}

/** Notes one once: my own is known from its verdict already. @param {any} table @param {Late} late */
export function note(table, late) {
  const state = stateOf(table);
  if (state.late.some((one) => one.seat === late.seat && one.call === late.call)) return;
  state.late = [...state.late, late].sort((a, b) => a.margin - b.margin);
  if (late.seat !== table.seat) say(words(table, late));
  redraw();
}

/** "Dee’s Counter! came 38 ms later and does not count." @param {any} table @param {Late} late */
export function words(table, { seat, call, margin: us }) {
  const said = { name: table.name(seat), call: t(call === "CallQuatro" ? "call.quatro" : "call.counter"), margin: margin(us) };
  return t(seat === table.seat ? "stop.late" : "stop.lateOf", said);
}
