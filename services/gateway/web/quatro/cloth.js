// Centre and hand: the line the eye runs in a race. Two by two on a phone, a row over the hand on a desktop.
import { t } from "../i18n.js";
import { arrows, cap } from "../keys.js";
import { cls, html, useEffect, useRef } from "../lib.js";
import { Card, cardName, Icon, rank, useRing } from "../parts.js";
import { aim, tapHand, tapPlace } from "./swap.js";
import { dragged } from "./drag.js";
import { stateOf } from "./state.js";

/** @param {{table: any, at: ReturnType<typeof import("./look.js").look>}} props */
export function Centre({ table, at }) {
  const state = stateOf(table);
  const { centre } = at.view;
  const live = !at.watching && table.can("SwapCard");
  return html`<div class=${cls("centre", { aim: live && state.card !== null && !state.sent })} role="group"
      aria-label=${t("centre.label")} onKeyDown=${arrows}>
    <svg class="figure" aria-hidden="true"><use href="#quad" /></svg>
    ${centre.map((card, place) => html`<${Place} key=${place} table=${table} at=${at} state=${state}
        card=${card} place=${place} live=${live} />`)}
  </div>`;
}

function Place({ table, at, state, card, place, live }) {
  const held = at.hand.filter((one) => rank(one) === rank(card)).length;
  const sent = (state.sent ?? state.held)?.place === place;
  const refused = state.refused?.place === place;
  const slow = state.sent && sent && performance.now() - state.sent.at > 300;
  const label = held ? t("centre.held", { card: cardName(card), n: held }) : cardName(card);
  return html`<div class="place" data-place=${place}>
    <${Card} card=${card} label=${label}
        class=${cls({ sent: state.sent && sent, held: state.held && sent, lost: refused, sel: state.place === place })}
      press=${live ? () => tapPlace(table, place) : null} data-stop=${live ? "" : null} tabindex=${live ? (place ? -1 : 0) : null} aria-pressed=${live ? state.place === place : null} />
    ${state.inked.has(place) && html`<span class="inked" key=${card}></span>`}
    ${held > 1 && html`<span class=${cls("hold", { full: held === 3 })} aria-hidden="true">×${held}</span>`}
    ${refused && html`<span class="losttag"><${Icon} name="x" />${state.refused.text}</span>`}
    ${slow && html`<span class="slow" aria-hidden="true">…</span>`}
    ${live && html`<span class="keys" aria-hidden="true"><kbd>${cap("QWER"[place])}</kbd></span>`}</div>`;
}

/** My hand, with the ring of my wait round it. */
export function Hand({ table, at }) {
  const state = stateOf(table);
  const ready = at.view.seats[at.me].swap_ready_at;
  const ring = useRing(ready);
  const hand = useRef(/** @type {HTMLElement|null} */ (null));
  useEffect(() => (hand.current ? dragged(hand.current, (card, place) => aim(table, card, place)) : undefined), [table]);
  return html`<ol class=${cls("hand", { waiting: ring })} ref=${hand} aria-label=${t("hand.label")} onKeyDown=${arrows}>
    ${ring && html`<li class="ring" key=${`ring${ready}`} style=${ring} role="presentation" aria-hidden="true"></li>`}
    ${ring && state.flash > 0 && html`<li class="ring flash" key=${`flash${state.flash}`} role="presentation" aria-hidden="true"></li>`}
    ${at.hand.map((card, slot) => html`<${Slot} key=${slot} table=${table} at=${at} state=${state} card=${card} slot=${slot} />`)}
  </ol>`;
}

function Slot({ table, at, state, card, slot }) {
  const same = at.hand.filter((one) => rank(one) === rank(card)).length;
  const chosen = state.card === card;
  const sent = (state.sent ?? state.held)?.card === card;
  const tally = html`<span class=${cls("tally", `x${same}`)}
      aria-hidden="true">${same > 1 ? Array.from({ length: same }, () => html`<i></i>`) : null}</span>`;
  return html`<li data-slot=${slot}><${Card} card=${card}
      class=${cls({ sel: chosen && !state.sent, sent: state.sent && sent })} press=${() => tapHand(table, card)}
      data-stop="" tabindex=${slot ? -1 : 0} aria-pressed=${chosen} />
    <span class="under"><kbd class="keys" aria-hidden="true">${slot + 1}</kbd>${tally}</span></li>`;
}
