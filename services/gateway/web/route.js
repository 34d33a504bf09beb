// Where we are: the start page, an invitation, a table. The table's id stands after #, its code never stays in the address.
import { redraw, ui } from "./state.js";

const CODES = "quartet.codes";

/** @param {import("./state.js").Route} route @param {boolean} [replace] */
export function go(route, replace = false) {
  if (route.page === "table" && route.code) keepCode(route.id, route.code);
  const address = route.page === "table" ? `/#${route.id}` : route.page === "packs" ? "/#packs" : "/";
  history[replace ? "replaceState" : "pushState"](null, "", address);
  arrive(route);
}

/** @type {(route: import("./state.js").Route) => void} */
let arrived = () => {};
/** @param {(route: import("./state.js").Route) => void} then */
export const onArrival = (then) => { arrived = then; };

/** @param {import("./state.js").Route} route */
function arrive(route) {
  ui.route = route;
  ui.sheet = null;
  ui.notice = null;
  arrived(route);
  redraw();
}

/** Reads the address when the page loads and when the back button is pressed. */
export function read() {
  const code = new URLSearchParams(location.search).get("join");
  if (code !== null) {
    history.replaceState(null, "", "/");
    return arrive({ page: "join", code: code.trim().toUpperCase() });
  }
  const id = location.hash.slice(1);
  if (id === "packs") return arrive({ page: "packs" });
  arrive(/^[0-9a-f-]{36}$/.test(id) ? { page: "table", id, code: codes()[id] ?? null } : { page: "start" });
}

addEventListener("popstate", read);

/** A private table opens to its code or a seat only: this tab keeps the code for a reload. @returns {Record<string, string>} */
function codes() {
  try { return JSON.parse(sessionStorage.getItem(CODES) || "{}"); } catch { return {}; }
}

/** @param {string} id @param {string} code */
function keepCode(id, code) {
  try { sessionStorage.setItem(CODES, JSON.stringify({ ...codes(), [id]: code })); } catch { /* lasts as long as the page */ }
}
