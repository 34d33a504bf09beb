// A hand card dragged to a place. A drag is only another way to aim: the card itself moves when the view says so.

const STEP_PX = 8;

/** @param {HTMLElement} hand @param {(card: string, place: number) => void} aim @returns {() => void} */
export function dragged(hand, aim) {
  /** @type {{card: HTMLElement, name: string|undefined, id: number, x: number, y: number, moved: boolean}|null} */
  let drag = null;
  const down = (/** @type {PointerEvent} */ event) => {
    const card = event.target instanceof Element ? event.target.closest(".card") : null;
    if (card instanceof HTMLElement && event.button === 0) drag = { card, name: card.dataset.card, id: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(dx, dy) < STEP_PX) return;
    if (!drag.moved) {
      drag.moved = true;
      drag.card.setPointerCapture(event.pointerId);
      drag.card.classList.add("dragged");
    }
    drag.card.style.setProperty("translate", `${dx}px ${dy}px`);
  };
  const up = (/** @type {PointerEvent} */ event) => {
    const done = drag;
    drag = null;
    if (!done?.moved) return;
    done.card.classList.remove("dragged");
    done.card.style.removeProperty("translate");
    swallowClick();
    if (event.type !== "pointerup") return;
    const place = document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest("[data-place]")).find(Boolean);
    const card = done.name;
    if (card !== done.card.dataset.card) return; // another lies there now
    if (place instanceof HTMLElement && card) aim(card, Number(place.dataset.place));
  };
  hand.addEventListener("pointerdown", down);
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", up);
  return () => {
    hand.removeEventListener("pointerdown", down);
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", up);
  };
}

/** The click that follows a drag is not a tap; a touch may bring none. */
function swallowClick() {
  const swallow = (click) => click.stopPropagation();
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
}
