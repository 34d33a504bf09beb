// A family of a pack as a tile: its name and its four, with pictures. Drawn before a game and where packs are chosen.
import { t } from "../i18n.js";
import { cls, html } from "../lib.js";
import { Picture } from "./cards.js";

/** @type {Record<string, [string, string]>} */
const PIPS = { S: ["s", "spade"], H: ["h", "heart"], D: ["d", "diamond"], C: ["c", "club"] };

/** @param {{family: import("./look.js").Family, name: string, ordinary: boolean, language: string|null}} props */
export const Tile = ({ family, name, ordinary, language }) => html`<section class="ftile" lang=${language}><b>${name}</b>
  <ol class=${cls({ suits: ordinary })}>${family.members.map((member) => (ordinary
    ? html`<li key=${member.name} class=${PIPS[member.name][0]}><svg class="p" role="img" aria-label=${t(`suit.${member.name}`)}><use href=${`#${PIPS[member.name][1]}`} /></svg></li>`
    : html`<li key=${member.name}><${Picture} picture=${member.picture} /><span>${member.name}</span></li>`))}</ol></section>`;
