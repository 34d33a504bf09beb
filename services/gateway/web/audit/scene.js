// The drawn table at one instant, as it was seen from somewhere: what could not be seen there lies face down.
import { t } from "../i18n.js";
import { html } from "../lib.js";
import { clock } from "./book.js";
import { hadBeenFirst } from "./finish.js";
import { Kwartet } from "./kwartet.js";
import { Quatro } from "./quatro.js";

/** @typedef {{public: any, own: Record<string, any>}} Picture */

/** @param {{book: import("./book.js").Book, picture: Picture, from: import("./book.js").From, index: number, label: string, scene?: import("./book.js").Scene|null}} props */
export function Scene({ book, picture, from, index, label, scene }) {
  const Game = book.game === "kwartet" ? Kwartet : Quatro;
  return html`<section class="scene" aria-label=${label}><div class="cloth" aria-hidden="true"></div>
    <${Game} book=${book} picture=${picture} from=${from} index=${index} scene=${scene} /></section>`;
}

/** The replay's scene with what is to be said of it. */
export function Now({ book, head, from, whatIf, real }) {
  if (whatIf) {
    const { race, index } = whatIf;
    const label = t("audit.scene.whatIf", { first: hadBeenFirst(book, whatIf) });
    return html`<div class="now what"><p class="banner"><span>${label}</span><button type="button" class="btn" onClick=${real}>${t("audit.scene.real")}</button></p>
      <${Scene} book=${book} picture=${race.otherwise} from=${from} index=${index} label=${label} /></div>`;
  }
  const seen = book.seen(from, head.index, head.at);
  const time = clock(head.at - book.zero);
  return html`<div class="now">
    <${Scene} book=${book} picture=${seen} from=${from} index=${seen.index} label=${t("audit.scene", { time })} scene=${from === "above" ? book.scenes[head.index] : null} />
    ${from !== "above" && html`<p class="saw">${sawWords(book, from, seen, time)}</p>`}</div>`;
}

/** @param {import("./book.js").Book} book @param {import("./book.js").From} from @param {{index: number, behind: number}} seen @param {string} time */
export function sawWords(book, from, seen, time) {
  const name = typeof from === "number" ? book.name(from, seen.index) : t("audit.scene.watcher");
  const saw = t("audit.scene.saw", { name, time, n: book.scenes[seen.index].version });
  return seen.behind ? `${saw} ${t("audit.scene.behind", { n: seen.behind })}` : saw;
}

/** Hands as they can be seen: one's own, and all once they are turned up. @param {Picture} picture @param {number} seat @returns {any[]|null} null: face down */
export function handOf(picture, seat) {
  const turned = picture.public.last_round?.hands;
  const over = ["scoring", "break", "over"].includes(picture.public.phase);
  if (over && turned) return turned[seat] ?? null;
  return picture.own[seat]?.hand ?? null;
}

/** Where a seat lies for who looks: seat at the bottom first, then clockwise from its left. @param {number} seat @param {number} at @param {number} n */
export const around = (seat, at, n) => (seat - at + n) % n;
