// What this browser remembers: settings and who I am. Nothing of any table's cards is ever stored.

const SETTINGS = "quartet.settings";
const ME = "quartet.me";

/** @typedef {{theme: "system"|"light"|"dark", lang: string|null, sound: boolean, keys: boolean, swapCalls: boolean, sayEverySwap: boolean}} Settings */
/** @typedef {{name: string, player: string|null, token: string|null}} Me */

/** @type {Settings} */
const usual = { theme: "system", lang: null, sound: false, keys: true, swapCalls: false, sayEverySwap: false };

/** @type {Settings} */
export const settings = { ...usual, ...read(SETTINGS) };

/** @type {Me} */
export const me = { name: "", player: null, token: null, ...read(ME) };

/** @param {Partial<Settings>} changes */
export function set(changes) {
  Object.assign(settings, changes);
  write(SETTINGS, settings);
  if ("theme" in changes) dispatchEvent(new Event("quartet:theme"));
}

/** @param {Partial<Me>} changes */
export function remember(changes) {
  Object.assign(me, changes);
  write(ME, me);
}

/** @param {string} key */
function read(key) {
  try { return JSON.parse(localStorage.getItem(key) || "{}"); } catch { return {}; }
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* private mode: it lasts as long as the page */ }
}
