// My hand: a family is a tile of four quarters; what I hold is a card, what I miss is a hole, and the hole is the button.
import { t } from "../i18n.js";
import { cls, html, useLayoutEffect } from "../lib.js";
import { redraw } from "../state.js";
import { tapHole } from "./ask.js";
import { Face, Quad, tint } from "./cards.js";
import { askable, idOf, laid, same } from "./look.js";
import { familyName, nameOf } from "./names.js";
import { stateOf } from "./state.js";

const HOLD_MS = 450;
/** From so many families on they can be filtered. */
const MANY = 17;

/** My families: the most complete first at the deal, then never sorted again; a new one comes last. @param {any} at @param {{order: string[]}} state */
export function ordered(at, state) {
  /** @type {Map<string, number>} */
  const held = new Map();
  for (const { family } of at.hand) held.set(family, (held.get(family) ?? 0) + 1);
  const kept = state.order.filter((family) => held.has(family));
  const come = [...held.keys()].filter((family) => !kept.includes(family));
  if (!kept.length) come.sort((a, b) => (held.get(b) ?? 0) - (held.get(a) ?? 0));
  state.order = [...kept, ...come];
  return { order: state.order, held };
}

/** @param {{table: any, at: any}} props */
export function Families({ table, at }) {
  const state = stateOf(table);
  const { order, held } = ordered(at, state);
  const shown = order.length >= MANY && state.nearly ? order.filter((family) => (held.get(family) ?? 0) > 1) : order;
  const ids = shown.flatMap((family) => laid(at.view, family).map((member) => idOf({ family, member: member.name })));
  if (!ids.includes(state.stop)) state.stop = ids[0] ?? "";
  useLayoutEffect(() => keepFocus(state));
  return html`<div class="hold">${order.length >= MANY && html`<button type="button" class="btn nearly" aria-pressed=${state.nearly} onClick=${() => { state.nearly = !state.nearly; redraw(); }}>${t("kw.nearly")}</button>`}
    <div class=${cls(`families f${Math.min(shown.length, 9)}`, { waiting: !at.mine || state.sent })} role="group" aria-label=${t("hand.label")} onKeyDown=${arrowed}>
    ${shown.map((family) => html`<${Family} key=${family} table=${table} at=${at} state=${state} family=${family} n=${held.get(family)} />`)}</div></div>`;
}

function Family({ table, at, state, family, n }) {
  const name = familyName(at.view, family);
  const members = laid(at.view, family);
  const mine = members.map((member) => at.hand.some((card) => same(card, { family, member: member.name })));
  return html`<section class="family" aria-label=${t("kw.familyHeld", { family: name, n })}><header aria-hidden="true"><${Quad} on=${mine} /><span class=${cls("fname", { long: name.length > 11 })} lang=${at.view.pack.language}>${name}</span><small>${t("kw.ofFour", { n })}</small></header>
    <div class="cells">${members.map((member, i) => html`<${Cell} key=${member.name} table=${table} at=${at} state=${state} family=${family} member=${member} mine=${mine[i]} />`)}</div></section>`;
}

function Cell({ table, at, state, family, member, mine }) {
  const card = { family, member: member.name };
  const id = idOf(card);
  const can = !mine && askable(at, card).length > 0 && (state.to === null || state.hole !== null || askable(at, card).includes(state.to));
  const chosen = same(state.hole, card);
  const peek = () => { state.sheet = { kind: "peek", card, held: mine }; redraw(); };
  const tap = () => (mine ? peek() : tapHole(table, card));
  return html`<button type="button" data-stop data-card=${id} tabindex=${state.stop === id ? 0 : -1} class=${cls("cell", tint(at.view, member.name), mine ? "have" : "miss", { can, sel: chosen, sent: chosen && state.sent })}
    aria-label=${t(mine ? "kw.held" : can ? "kw.missing" : "kw.missingPlain", { card: nameOf(at.view, card) })} aria-pressed=${mine ? null : chosen} aria-disabled=${mine || can ? null : true} aria-haspopup=${mine ? "dialog" : null}
    onFocus=${() => { state.stop = id; state.hadFocus = true; }} onBlur=${(event) => { if (event.relatedTarget) state.hadFocus = false; }} ...${held(peek, tap)}><${Face} view=${at.view} family=${family} member=${member} /></button>`;
}

/** @type {ReturnType<typeof setTimeout>|undefined} */
let holding;
let wasHeld = false;

/** A tap does the one, press and hold the other. @param {() => void} peek @param {() => void} tap */
function held(peek, tap) {
  const stop = () => clearTimeout(holding);
  return {
    onPointerDown: () => { wasHeld = false; stop(); holding = setTimeout(() => { wasHeld = true; peek(); }, HOLD_MS); },
    onPointerUp: stop, onPointerLeave: stop, onPointerCancel: stop,
    onContextMenu: (/** @type {Event} */ event) => event.preventDefault(),
    onClick: () => { stop(); if (!wasHeld) tap(); wasHeld = false; },
  };
}

/** A card that went takes the focus to its neighbour, not to nowhere. @param {ReturnType<typeof stateOf>} state */
function keepFocus(state) {
  if (!state.hadFocus || document.activeElement !== document.body || state.sheet) return;
  focusStop();
}

const focusStop = () => /** @type {HTMLElement|null} */ (document.querySelector('.families [data-stop][tabindex="0"]'))?.focus();

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** @param {KeyboardEvent} event */
function arrowed(event) {
  if (!(event.key in WAYS)) return;
  event.preventDefault();
  event.stopPropagation();
  step(event.key);
}

/** The next card in that direction, by where it lies on the table. @param {string} key */
export function step(key) {
  const stops = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".families [data-stop]")]);
  const here = stops.find((one) => one === document.activeElement);
  if (!here) return focusStop();
  const from = here.getBoundingClientRect();
  const [x, y] = WAYS[key];
  const near = stops.flatMap((one) => {
    const to = one.getBoundingClientRect();
    const ahead = (to.left - from.left) * x + (to.top - from.top) * y;
    const aside = Math.abs((to.left - from.left) * y) + Math.abs((to.top - from.top) * x);
    return ahead > 4 ? [{ one, far: ahead + 3 * aside }] : [];
  });
  near.sort((a, b) => a.far - b.far);
  near[0]?.one.focus();
}
