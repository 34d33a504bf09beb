// What my screen keeps of a round between two drawings: a choice, what was sent, what is open. Cleared when the round changes.

import { played } from "./look.js";

/** @typedef {{card: string, place: number, aimed_at: string}} Pair */

const fresh = (round) => ({
  round,
  /** The hand card chosen. */ card: /** @type {string|null} */ (null),
  /** The place chosen first. */ place: /** @type {number|null} */ (null),
  /** On its way, no verdict yet. */ sent: /** @type {(Pair & {at: number})|null} */ (null),
  /** Complete, waits for my ring. */ held: /** @type {Pair|null} */ (null),
  refused: /** @type {{place: number, text: string}|null} */ (null),
  flash: 0,
  /** Places that others changed a moment ago. */ inked: /** @type {Set<number>} */ (new Set()),
  sheet: /** @type {"palette"|"team"|"own4"|null} */ (null),
  faceDown: false,
  called: /** @type {"CallQuatro"|"CallCounter"|null} */ (null),
  /** Calls that came too late, with their margins. */ late: /** @type {import("./late.js").Late[]} */ ([]),
  lastShown: /** @type {string[]} */ ([]),
  /** Notes at seats, for three seconds. */ notes: /** @type {Record<number, string>} */ ({}),
  signRefused: "",
  stopSeen: false,
  flown: false,
  /** Seconds on the clock at the stop. */ frozen: /** @type {number|null} */ (null),
  winSeen: false,
  /** The last thing that happened, to be said again. */ lastSaid: "",
  clockFor: /** @type {number|null} */ (null),
});

/** @param {any} table @returns {ReturnType<typeof fresh>} */
export function stateOf(table) {
  const round = played(table.public);
  if (table.own_state.quatro?.round !== round) table.own_state.quatro = fresh(round);
  return table.own_state.quatro;
}
