// What cards, families and packs are called: an ordinary card in the reader's language, a pack's own words as they are.
import { has, t } from "../i18n.js";
import { cardName } from "../parts.js";

/** @param {string} text */
const capital = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** @param {any} view */
const ordinary = (view) => view.pack.name === "ordinary";

/** "Forest", "Queens" @param {any} view @param {string} family */
export const familyName = (view, family) => (ordinary(view) ? capital(t(`ranks.${family}`)) : family);

/** "Hedgehog", "queen of hearts" @param {any} view @param {import("./look.js").CardOf} card */
export const nameOf = (view, card) => (ordinary(view) ? cardName(card.family + card.member) : card.member);

/** The same inside a sentence: "the queen of hearts" @param {any} view @param {import("./look.js").CardOf} card */
export const inWords = (view, card) => (ordinary(view) ? t("kw.the", { card: nameOf(view, card) }) : card.member);

/** A pack that ships is called in the reader's language. @param {string} name @param {boolean} [shipped] */
export const packTitle = (name, shipped = true) => (shipped && has(`pack.${name}`) ? t(`pack.${name}`) : name);

/** Who, for a sentence: "You" or the name. @param {any} table @param {number} seat */
export const who = (table, seat) => (seat === table.seat ? t("seat.you") : table.name(seat));
