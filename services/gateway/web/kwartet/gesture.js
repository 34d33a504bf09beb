// A question as a gesture: the answer is stamped in the talk, then what was given flies; a family closes and goes to its owner.
// What flies is a copy: the cards already lie where the view put them.
import { render } from "../lib.js";
import { rectOf, still } from "../shell/flights.js";

/** Milliseconds after the question at which a given card leaves, and how long it is under way. */
const STAMPED_MS = 520;
const FLIGHT_MS = 240;
const CLOSE_MS = 600;

/** @typedef {{shown: any, from: DOMRect|null, to: DOMRect|null, grow?: number, shrink?: number}} Flight */

/** After the next drawing. @param {() => void} what */
export const later = (what) => requestAnimationFrame(() => requestAnimationFrame(what));

/** A given card. @param {Flight} flight @param {string} lands selector of what shows once it has landed */
export function give(flight, lands) {
  if (document.hidden || still()) return inked(lands);
  veil(lands, STAMPED_MS + FLIGHT_MS);
  setTimeout(() => fly(flight, [{ at: "from" }, { at: "to" }], FLIGHT_MS), STAMPED_MS);
}

/** A family: closes in the middle, then shrinks to its owner's tag. @param {any} shown @param {string} tag @param {boolean} afterGift */
export function close(shown, tag, afterGift) {
  if (document.hidden || still()) return inked(tag);
  const wait = afterGift ? STAMPED_MS + FLIGHT_MS : 0;
  veil(tag, wait + CLOSE_MS + FLIGHT_MS);
  setTimeout(() => {
    const middle = rectOf(".talk") ?? rectOf(".kt");
    fly({ shown, from: middle, to: rectOf(tag), grow: 1, shrink: 0.25 }, [{ at: "from", scale: 0.55, opacity: 0 }, { at: "from", offset: 0.28 }, { at: "from", offset: CLOSE_MS / (CLOSE_MS + FLIGHT_MS) }, { at: "to" }], CLOSE_MS + FLIGHT_MS);
  }, wait);
}

/** @param {Flight} flight @param {{at: "from"|"to", scale?: number, opacity?: number, offset?: number}[]} steps @param {number} duration */
function fly({ shown, from, to, grow = 0.5, shrink = 0.5 }, steps, duration) {
  const sky = document.getElementById("flights");
  if (!from || !to || !sky) return;
  const host = document.createElement("div");
  host.className = "kwflight";
  sky.append(host);
  render(shown, host);
  const { width, height } = host.getBoundingClientRect();
  const place = (/** @type {DOMRect} */ rect) => `translate(${rect.left + rect.width / 2 - width / 2}px, ${rect.top + rect.height / 2 - height / 2}px)`;
  const frames = steps.map(({ at, scale, ...rest }) => ({ transform: `${place(at === "from" ? from : to)} scale(${scale ?? (at === "from" ? grow : shrink)})`, ...rest }));
  const flight = host.animate(frames, { duration, easing: "cubic-bezier(.6,0,.3,1)" });
  flight.onfinish = flight.oncancel = () => { render(null, host); host.remove(); };
}

/** What will land shows when it has. @param {string} selector @param {number} ms */
function veil(selector, ms) {
  shownNow(selector)?.animate([{ opacity: 0.12 }, { opacity: 0.12 }], { duration: ms });
}

/** Without motion the place keeps a thick edge for a moment. @param {string} selector */
function inked(selector) {
  shownNow(selector)?.animate([{ outline: "4px solid currentColor" }, { outline: "4px solid currentColor" }], { duration: 600 });
}

/** @param {string} selector */
const shownNow = (selector) => [...document.querySelectorAll(selector)].find((one) => one.getClientRects().length > 0);
