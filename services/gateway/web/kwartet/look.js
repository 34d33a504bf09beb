// The table as it lies for me: players clockwise from my left, my families two by two. Read from the view, nothing decided here.

/** @typedef {{family: string, member: string}} CardOf */
/** @typedef {{name: string, picture?: string|null, fact?: string|null}} Member */
/** @typedef {{name: string, members: Member[]}} Family */

/** @param {any} table */
export function look(table) {
  const view = table.public;
  const n = view.seats.length;
  const watching = table.seat === null;
  const me = table.seat ?? 0;
  const first = watching ? 0 : 1;
  return {
    view, n, me, watching,
    own: table.own,
    around: Array.from({ length: n - first }, (_, i) => (me + first + i) % n),
    hand: /** @type {CardOf[]} */ (table.own?.hand ?? []),
    /** Seats and what each may be asked for now. */ can: /** @type {{seat: number, cards: CardOf[]}[]} */ (table.own?.can_ask ?? []),
    mine: !watching && view.turn === me,
    ordinary: view.pack.name === "ordinary",
  };
}

/** The round on the table: at its Award the number already counts for the next. @param {any} view @returns {number} */
export const played = (view) => (view.phase === "break" || view.phase === "over" ? view.round - 1 : view.round);

/** @param {CardOf|null} a @param {CardOf|null} b */
export const same = (a, b) => a !== null && b !== null && a.family === b.family && a.member === b.member;

/** One string for a card, to find it in the page. @param {CardOf} card */
export const idOf = (card) => `${card.family}/${card.member}`;

/** @param {any} view @param {string} name @returns {Family} */
export const familyOf = (view, name) => view.pack.families.find((one) => one.name === name);

const LAID = "SHCD";

/** The four of a family as they are laid: ordinary ones spade and heart over club and diamond. @param {any} view @param {string} name @returns {Member[]} */
export function laid(view, name) {
  const { members } = familyOf(view, name);
  if (view.pack.name !== "ordinary") return members;
  return [...members].sort((a, b) => LAID.indexOf(a.name) - LAID.indexOf(b.name));
}

/** The seats that may be asked for a card. @param {ReturnType<typeof look>} at @param {CardOf} card */
export const askable = (at, card) => at.can.flatMap(({ seat, cards }) => (cards.some((one) => same(one, card)) ? [seat] : []));

/** The families before a seat. @param {any} view @param {number} seat @returns {string[]} */
export const setsOf = (view, seat) => view.exposed.flatMap((one) => (one.seat === seat ? [one.family] : []));
