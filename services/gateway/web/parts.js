// The parts that every screen draws with: cards, tokens, signals, icons. What they mean is said by the caller's words.
import { left } from "./clock.js";
import { t } from "./i18n.js";
import { cls, html, useMemo } from "./lib.js";

export const TEAMS = ["sun", "moon", "leaf", "shell"];
/** @type {Record<string, [string, string]>} */
const SUITS = { S: ["s", "spade"], H: ["h", "heart"], D: ["d", "diamond"], C: ["c", "club"] };

/** @param {{name: string}} props */
export const Icon = ({ name }) => html`<svg class="ic" aria-hidden="true"><use href=${`#${name}`} /></svg>`;

/** @param {{name: string, class?: string}} props */
export const Glyph = ({ name, class: more }) => html`<svg class=${cls("g", more)} aria-hidden="true"><use href=${`#${name}`} /></svg>`;

/** @param {string} card "10H" */
export const rank = (card) => card.slice(0, -1);
/** @param {string} card */
export const suit = (card) => card.slice(-1);
/** @param {string} card */
export const cardName = (card) => t("card.name", { rank: t(`rank.${rank(card)}`), suit: t(`suit.${suit(card)}`) });

/** A card face up: a button where `press` is given, a picture with a name elsewhere. */
export function Card({ card, press, class: more, label, ...rest }) {
  const [letter, pip] = SUITS[suit(card)];
  const face = html`<span class=${cls("r", { x6: /^[69]$/.test(rank(card)) })} aria-hidden="true">${rank(card)}</span>
    <svg class="p" aria-hidden="true"><use href=${`#${pip}`} /></svg>`;
  const name = label ?? cardName(card);
  return press
    ? html`<button type="button" class=${cls("card", letter, more)} aria-label=${name} data-card=${card}
        onClick=${press} ...${rest}>${face}</button>`
    : html`<i class=${cls("card", letter, more)} role="img" aria-label=${name} data-card=${card} ...${rest}>${face}</i>`;
}

/** @param {{class?: string}} props */
export const Back = ({ class: more }) => html`<i class=${cls("card back", more)} aria-hidden="true"></i>`;

/** @param {{count?: number}} props */
export const Fan = ({ count = 4 }) => html`<span class="fan"
    aria-hidden="true">${Array.from({ length: count }, () => html`<${Back} />`)}</span>`;

/** Four of a kind laid two by two, so that the quarters meet: spade and heart over club and diamond. */
export function Four({ cards }) {
  const laid = [..."SHCD"].map((one) => cards.find((card) => suit(card) === one)).filter(Boolean);
  return html`<div class="four">${laid.map((card) => html`<${Card} key=${card} card=${card} />`)}</div>`;
}

/** A team's token, or a player's initial in a game without teams. */
export function Token({ team, us, off, name, wait, class: more }) {
  const ring = useRing(wait);
  return html`<span class=${cls("token", more, { us, off, wait: ring })} style=${ring}>
    ${team === undefined ? html`<b aria-hidden="true">${[...(name ?? "")][0] ?? ""}</b>` : html`<${Glyph} name=${TEAMS[team]} />`}
  </span>`;
}

/** The style of a ring that runs out at `until`; null when there is nothing to wait for. @param {number|null|undefined} until */
export function useRing(until) {
  const style = useMemo(() => ({ "--dur": `${until ? left(until) : 0}ms` }), [until]);
  return until && left(until) > 0 ? style : null;
}

/** @param {number} team */
export const teamName = (team) => t(`team.${TEAMS[team]}`);
/** @param {number} [team] */
export const teamClass = (team) => (team === undefined ? "" : `t-${TEAMS[team]}`);

/** Two buttons and more of which one is chosen. */
export function Choice({ label, name, value, options, pick }) {
  return html`<div class="seg" role="radiogroup" aria-label=${label}>
    ${options.map(([one, text]) => html`<label key=${one}><input type="radio" name=${name}
        value=${one} checked=${one === value} onChange=${() => pick(one)} />${text}</label>`)}
  </div>`;
}

/** A switch with its words. */
export const Switch = ({ label, on, flip }) => html`<label class="switch"><input type="checkbox"
    role="switch" checked=${on} onChange=${(event) => flip(event.target.checked)} /><span>${label}</span></label>`;
