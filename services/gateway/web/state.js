// What the page shows besides the table: where we are, what is said in passing. Drawn again after each change.
import { say } from "./say.js";

/** @typedef {{page: "start"} | {page: "join", code: string} | {page: "packs"} | {page: "table", id: string, code: string|null}} Route */
/** @typedef {{text: string, detail?: string, id: number}} Passing */

export const ui = {
  /** @type {Route} */ route: { page: "start" },
  /** @type {string|null} */ sheet: null,
  /** @type {Passing|null} */ toast: null,
  /** @type {Passing|null} */ notice: null,
  /** @type {any} */ table: null,
};

/** @type {() => void} */
let draw = () => {};
let queued = false;

/** @param {() => void} how */
export const drawWith = (how) => { draw = how; };

export function redraw() {
  if (queued) return;
  queued = true;
  queueMicrotask(() => { queued = false; draw(); });
}

/** @param {string|null} name of the sheet, null for none */
export function sheet(name) {
  ui.sheet = name;
  redraw();
}

let passed = 0;

/** @param {"toast"|"notice"} kind @param {string} text @param {number} ms @param {string} [detail] */
function pass(kind, text, ms, detail) {
  const one = { text, detail, id: ++passed };
  ui[kind] = one;
  redraw();
  setTimeout(() => {
    if (ui[kind] !== one) return;
    ui[kind] = null;
    redraw();
  }, ms);
}

/** The table talks in its top line: nothing in play is covered. @param {string} text @param {number} [ms] @param {string} [detail] */
export const notice = (text, ms = 3000, detail) => pass("notice", text, ms, detail);

/** A passing word at the foot; in an open round it goes to the top line, which does not speak by itself. @param {string} text */
export function toast(text) {
  if (ui.table?.public?.phase !== "playing") return pass("toast", text, 3000);
  notice(text);
  say(text);
}
