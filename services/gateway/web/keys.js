// Single keys of the keyboard: off in text fields, can be switched off, listed under `?` (the design's section 9).
import { settings } from "./settings.js";

/** @typedef {import("./types.js").Key} Key */

/** @type {Map<string, () => Key[]>} */
const layers = new Map();

/** Adds the keys of a part of the screen; asked for anew at each press. @param {string} name @param {() => Key[]} keys */
export function bind(name, keys) {
  layers.set(name, keys);
  return () => { if (layers.get(name) === keys) layers.delete(name); };
}

/** Every key that works now, for the sheet. */
export const all = () => [...layers.values()].flatMap((keys) => keys());

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
  if (document.querySelector("dialog[open]")) return; // it closes itself
  if (event.key !== "Escape" && (!settings.keys || inText(event.target))) return;
  const pressed = all().find((key) => fits(key, event));
  if (!pressed) return;
  event.preventDefault();
  pressed.run();
});

/** Letters go by their place on the keyboard, signs by what they write. @param {Key} key @param {KeyboardEvent} event */
function fits(key, event) {
  if (!/^[A-Z0-9]$/.test(key.key)) return event.key === key.key;
  const places = [`Key${key.key}`, `Digit${key.key}`, `Numpad${key.key}`];
  return places.includes(event.code) && Boolean(key.shift) === event.shiftKey;
}

/** @param {EventTarget|null} target */
function inText(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)
    || (target instanceof HTMLInputElement && !/^(button|radio|checkbox|range|submit)$/.test(target.type)));
}

/** What stands on the keyboard at that place, where the browser can tell. @type {Map<string, string>} */
let layout = new Map();
const keyboard = /** @type {any} */ (navigator).keyboard;
keyboard?.getLayoutMap?.().then((/** @type {Map<string, string>} */ map) => { layout = map; }).catch(() => {});

/** The cap of a letter key in this layout: Q is A on a French keyboard. @param {string} letter */
export const cap = (letter) => (layout.get(`Key${letter}`) ?? letter).toUpperCase();

/** Arrows inside a group that is one stop of the tab key; how many stand in a row is seen. @param {KeyboardEvent} event */
export function arrows(event) {
  if (!(event.currentTarget instanceof HTMLElement)) return;
  const stops = /** @type {HTMLElement[]} */ ([...event.currentTarget.querySelectorAll("[data-stop]")]);
  const top = stops[0]?.getBoundingClientRect().top;
  const columns = stops.filter((stop) => Math.abs(stop.getBoundingClientRect().top - top) < 20).length;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -Infinity, End: Infinity }[event.key];
  if (step === undefined) return;
  const here = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const next = step === -Infinity ? 0 : step === Infinity ? stops.length - 1 : here + step;
  if (here < 0 || !stops[next]) return;
  event.preventDefault();
  for (const stop of stops) stop.tabIndex = -1;
  stops[next].tabIndex = 0;
  stops[next].focus();
}
