// What this browser remembers: settings and who I am. Nothing of any table's cards is ever stored.

const SETTINGS = "quartet.settings";
const ME = "quartet.me";
const ACTING = "quartet.acting";

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
  if (!acting) return write(ME, me);
  try { sessionStorage.setItem(ACTING, me.token ?? ""); } catch { /* it lasts as long as the page */ }
}

/** Somebody else's token for as long as this tab is open, an auditor's; who I am stays written down as it was. */
let acting = false;
/** @param {string} token "" to be oneself again */
export function actAs(token) {
  try { sessionStorage.setItem(ACTING, token); } catch { /* private mode */ }
  takeUp();
}

/** Goes on with the token of this tab, if it was given one. */
export function takeUp() {
  let token;
  try { token = sessionStorage.getItem(ACTING); } catch { /* private mode */ }
  acting = Boolean(token);
  Object.assign(me, acting ? { name: "", player: null, token } : { name: "", player: null, token: null, ...read(ME) });
}

export const isActing = () => acting;

/** Whether the token says so itself: it decides about words only, what may be seen the server knows. */
export function isAuditor() {
  try { return JSON.parse(atob((me.token ?? "").split(".")[1].replace(/-/g, "+").replace(/_/g, "/"))).role === "auditor"; } catch { return false; }
}

/** @param {string} key */
function read(key) {
  try { return JSON.parse(localStorage.getItem(key) || "{}"); } catch { return {}; }
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* private mode: it lasts as long as the page */ }
}
