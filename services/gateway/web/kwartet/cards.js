// Kwartet's cards: a quarter of a family's tile, the whole card with its four, the four laid down, the picture.
import { t } from "../i18n.js";
import { cls, html } from "../lib.js";
import { Glyph } from "../parts.js";
import { laid, familyOf } from "./look.js";
import { familyName, nameOf } from "./names.js";

/** @type {Record<string, [string, string]>} */
const SUITS = { S: ["s", "spade"], H: ["h", "heart"], D: ["d", "diamond"], C: ["c", "club"] };

/** A card's own picture: an emoji, or a PNG by its hash. @param {{picture?: string|null}} props */
export function Picture({ picture }) {
  if (!picture) return null;
  if (!picture.startsWith("sha256:")) return html`<span class="emoji" aria-hidden="true">${picture}</span>`;
  return html`<img class="png" src=${`/api/pictures/${picture.slice(7)}.png`} alt="" />`;
}

/** How small a name has to be written: by its longest word, and by its length. @param {string} name */
const fit = (name) => ({ w8: longest(name) > 7, w10: longest(name) > 9, w12: longest(name) > 11, long: name.length > 13, longer: name.length > 20 });

/** @param {string} name */
const longest = (name) => Math.max(...name.split(/[\s-]+/).map((word) => [...word].length));

/** What stands on a quarter. @param {{view: any, family: string, member: import("./look.js").Member}} props */
export function Face({ view, family, member }) {
  if (view.pack.name === "ordinary") {
    return html`<span class="rk" aria-hidden="true">${family}<svg class="p"><use href=${`#${SUITS[member.name][1]}`} /></svg></span>`;
  }
  return html`<${Picture} picture=${member.picture} /><span class=${cls("label", fit(member.name))} lang=${view.pack.language}>${member.name}</span>`;
}

/** The suit's class of an ordinary card. @param {any} view @param {string} member */
export const tint = (view, member) => (view.pack.name === "ordinary" ? SUITS[member][0] : "");

/** The figure of a family: which quarters I hold. @param {{on: boolean[]}} props */
export const Quad = ({ on }) => html`<span class="quad" aria-hidden="true">${on.map((one, i) => html`<i key=${i} class=${cls({ on: one })}></i>`)}</span>`;

/** A family laid down, closed to its figure. @param {{view: any, family: string}} props */
export const Done = ({ view, family }) => html`<div class="done"><b lang=${view.pack.language}>${familyName(view, family)}</b>
  <div class="cells">${laid(view, family).map((member) => html`<div key=${member.name} class=${cls("cell have", tint(view, member.name))} role="img" aria-label=${nameOf(view, { family, member: member.name })}>
    <${Face} view=${view} family=${family} member=${member} /></div>`)}</div></div>`;

/** A family's tag. @param {{view: any, family: string}} props */
export const Tag = ({ view, family }) => html`<span class="set" data-family=${family}><${Glyph} name="quad" /><span lang=${view.pack.language}>${familyName(view, family)}</span></span>`;

/** The whole card: the family above, its picture and name, then the four with its own marked (K-PACK-4). */
export function Full({ view, card }) {
  const members = familyOf(view, card.family).members;
  const own = members.find((one) => one.name === card.member);
  const place = laid(view, card.family).findIndex((one) => one.name === card.member);
  const ordinary = view.pack.name === "ordinary";
  const picture = ordinary
    ? html`<span class=${cls("pic rk", tint(view, card.member))} aria-hidden="true">${card.family}<svg class="p"><use href=${`#${SUITS[card.member][1]}`} /></svg></span>`
    : own?.picture ? html`<span class="pic"><${Picture} picture=${own.picture} /></span>` : html`<span class="pic none" aria-hidden="true">${[...card.member][0]}</span>`;
  return html`<article class=${`card full m${place}`} lang=${view.pack.language}>
    <span class="fam">${familyName(view, card.family)}</span>${picture}<b class="nm">${nameOf(view, card)}</b>
    <ol>${members.map((one) => html`<li key=${one.name} class=${cls({ me: one.name === card.member })}>${nameOf(view, { family: card.family, member: one.name })}${one.name === card.member ? html`<span class="vh">, ${t("kw.thisOne")}</span>` : null}</li>`)}</ol></article>`;
}
