// Cards on their way: copies that fly over the page while the real ones already lie where the view put them.

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const quiet = () => document.hidden;

/** @param {string} selector @returns {DOMRect|null} */
export function rectOf(selector) {
  const found = [...document.querySelectorAll(selector)].find((one) => one.getClientRects().length > 0);
  return found ? found.getBoundingClientRect() : null;
}

/**
 * A copy of a card flies from where something was to where it lies now; the card itself shows when it lands.
 * @param {string} card selector of the card as it lies now @param {DOMRect|null} from @param {{ms?: number, bend?: number}} [how]
 */
export function flyTo(card, from, { ms = 240, bend = 0 } = {}) {
  const target = [...document.querySelectorAll(card)].find((one) => one.getClientRects().length > 0);
  if (quiet() || !from || !(target instanceof HTMLElement)) return;
  if (still()) {
    target.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: 120 });
    return;
  }
  const to = target.getBoundingClientRect();
  target.animate([{ opacity: 0 }, { opacity: 0 }], { duration: ms });
  launch(target, from, to, ms, bend);
}

/** A copy of something flies from its place to another and is gone: a point to its team. @param {Element} thing @param {DOMRect} to @param {number} ms */
export function flyAway(thing, to, ms) {
  if (quiet() || still()) return;
  launch(thing, thing.getBoundingClientRect(), to, ms, -40, true);
}

/** @param {Element} thing @param {DOMRect} from @param {DOMRect} to @param {number} ms @param {number} bend @param {boolean} [away] */
function launch(thing, from, to, ms, bend, away) {
  const copy = /** @type {HTMLElement} */ (thing.cloneNode(true));
  const base = away ? from : to;
  copy.setAttribute("class", `${thing.getAttribute("class")} flying`);
  copy.removeAttribute("data-stop");
  for (const [name, value] of Object.entries({ left: base.left, top: base.top, width: base.width, height: base.height })) copy.style.setProperty(name, `${value}px`);
  copy.style.setProperty("font-size", getComputedStyle(thing).fontSize);
  document.getElementById("flights")?.append(copy);
  const at = (/** @type {DOMRect} */ rect, rise) => ({
    translate: `${rect.left + rect.width / 2 - base.left - base.width / 2}px ${rect.top + rect.height / 2 - base.top - base.height / 2 + rise}px`,
    scale: String(rect.width / base.width || 0.5),
  });
  const middle = new DOMRect((from.left + to.left) / 2 + bend, (from.top + to.top) / 2, (from.width + to.width) / 2, (from.height + to.height) / 2);
  const flight = copy.animate([at(from, 0), at(middle, 0), at(to, 0)], { duration: ms, easing: "cubic-bezier(.6,0,.3,1)" });
  flight.onfinish = flight.oncancel = () => copy.remove();
}
