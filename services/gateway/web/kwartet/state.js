// What my screen keeps of a game between two drawings: a choice, what was sent, the record since I came. Never cards of others.
import { played } from "./look.js";

/** @typedef {import("./look.js").CardOf} CardOf */
/** @typedef {{id: number, type: string, by?: number, to?: number, seat?: number, card?: CardOf, given?: boolean, family?: string}} Entry */
/** @typedef {{kind: "record"} | {kind: "sets", seat: number} | {kind: "peek", card: CardOf, held?: boolean}} Opened */

/** @param {number} round */
const fresh = (round) => ({
  round,
  /** The hole chosen. */ hole: /** @type {CardOf|null} */ (null),
  /** The player chosen. */ to: /** @type {number|null} */ (null),
  /** On its way, no verdict yet. */ sent: /** @type {{seat: number, card: CardOf}|null} */ (null),
  /** Why the last question did not count. */ refused: "",
  /** My families in the order in which they lie. */ order: /** @type {string[]} */ ([]),
  /** The card that the tab key comes to. */ stop: "",
  /** Where the focus was when its card went. */ hadFocus: false,
  sheet: /** @type {Opened|null} */ (null),
  log: /** @type {Entry[]} */ ([]),
  /** The newest entry that came while I looked: it is played. */ fresh: 0,
  /** Only families with two cards and more. */ nearly: false,
  /** The last gesture is seen before the end. */ lingers: false,
  lastSaid: "",
  clockFor: /** @type {number|null} */ (null),
});

/** @param {any} table @returns {ReturnType<typeof fresh>} */
export function stateOf(table) {
  const round = played(table.public);
  if (table.own_state.kwartet?.round !== round) table.own_state.kwartet = fresh(round);
  return table.own_state.kwartet;
}

/** A new game is being laid. @param {any} table */
export const forget = (table) => { delete table.own_state.kwartet; };

let counted = 0;

/** @param {any} table @param {Omit<Entry, "id">} entry @returns {Entry} */
export function note(table, entry) {
  const kept = { ...entry, id: ++counted };
  const state = stateOf(table);
  state.log = [...state.log, kept].slice(-80);
  return kept;
}

/** The record agrees with the view's last questions, or is made from them: who comes late knows no more. @param {any} table */
export function agree(table) {
  const state = stateOf(table);
  const { asks } = table.public;
  const last = state.log.findLast((one) => one.type === "asked");
  const shown = asks.at(-1);
  const fits = shown ? last && JSON.stringify([last.by, last.to, last.card]) === JSON.stringify([shown.by, shown.to, shown.card]) : !last;
  if (fits) return;
  state.log = [];
  for (const one of asks) note(table, { type: "asked", ...one });
}
