// Records in words: who did what, or wanted what and why it was refused. One sentence an event, never put together from parts.
import { coded, has, t } from "../i18n.js";
import { familyName, inWords } from "../kwartet/names.js";
import { cardName, teamName } from "../parts.js";

/** @typedef {import("./book.js").Book} Book */

/** What is seldom worth a word beside what caused it. */
const QUIET = new Set(["TurnCame", "CardDrawn", "RoundOpened"]);

/** @param {Book} book @param {import("./book.js").Scene} scene @param {number} index */
export const told = (book, scene, index) => outcome(book, scene, index);

/** The same for what would have been. @param {Book} book @param {{by: number|string, command: any, events: any[]|null, refused: any}} one @param {number} index */
export function outcome(book, one, index) {
  if (one.refused) return t("audit.tried", { what: wanted(book, one, index), code: code(one.refused.code) });
  const events = one.events ?? [];
  const loud = events.filter((each) => !QUIET.has(each.type));
  return (loud.length ? loud : events).map((each) => happened(book, each, one.by, index)).join(" ");
}

/** @param {string} name */
export const code = (name) => coded("audit.code", name, { code: name });

/** @param {Book} book @param {any} one @param {number} index */
export const wanted = (book, one, index) => coded("audit.want", one.command.type, values(book, { seat: one.by, ...given(one.command) }, one.by, index));

/** A command's own words for the cards. @param {any} command */
const given = (command) => (command.type === "SwapCard" ? { given: command.card, taken: command.aimed_at, place: command.place }
  : command.type === "Ask" ? { to: command.seat, card: command.card } : { emoji: command.emoji, sign: command.sign, code: command.type });

/** @param {Book} book @param {any} event @param {number|string} by @param {number} index */
function happened(book, event, by, index) {
  const way = "right" in event ? event.right : "agree" in event ? event.agree : event.type === "CardAsked" ? event.given : null;
  const key = way === null ? event.type : `${event.type}.${way ? "right" : "wrong"}`;
  return coded("audit.did", key, values(book, { ...event, given: event.type === "CardAsked" ? undefined : event.given }, by, index));
}

/** @param {Book} book @param {any} it @param {number|string} by @param {number} index */
function values(book, it, by, index) {
  const view = book.scenes[index].public;
  const who = it.by ?? it.seat ?? (typeof by === "number" ? by : null);
  const known = (/** @type {string|undefined} */ sign) => (sign && has(`sign.${sign}`) ? `${sign} ${t(`sign.${sign}`)}` : sign);
  return {
    name: typeof who === "number" ? book.name(who, index) : book.sender(by, index),
    to: typeof it.to === "number" && it.to in view.seats ? book.name(it.to, index) : "",
    given: shown(view, it.given), taken: shown(view, it.taken), card: shown(view, it.card),
    place: typeof it.place === "number" ? it.place + 1 : "",
    sign: known(it.emoji ?? it.sign), team: typeof it.team === "number" ? teamName(it.team) : "",
    family: it.family && view.pack ? familyName(view, it.family) : "", points: it.points?.join(" : "),
    code: it.code ?? it.type,
  };
}

/** @param {any} view @param {any} card */
function shown(view, card) {
  if (!card) return "";
  if (typeof card === "object") return inWords(view, card).replace(/^the /, "");
  return /^(10|[AKQJ6-9])[SHDC]$/.test(card) ? cardName(card) : card;
}
