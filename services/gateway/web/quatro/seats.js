// The others at the table: a face (the signal with the team's token on its corner), a name, what just happened there.
import { left } from "../clock.js";
import { t } from "../i18n.js";
import { cls, html, useEffect, useRef } from "../lib.js";
import { Fan, teamClass, teamName, Token } from "../parts.js";
import { play } from "../sound.js";
import { redraw } from "../state.js";
import { accuse } from "./calls.js";
import { area } from "./look.js";
import { stateOf } from "./state.js";

/** @param {{table: any, at: ReturnType<typeof import("./look.js").look>, seat: number}} props */
export function SeatAt({ table, at, seat }) {
  const it = at.view.seats[seat];
  const state = stateOf(table);
  const partner = seat === at.partner && !at.watching;
  const us = it.team === at.team && !at.watching;
  const away = Boolean(it.player) && !it.bot && !it.connected;
  const usual = [partner ? t("seat.partner") : "", away ? t("seat.away") : it.bot ? t("seat.bot") : ""].filter(Boolean).join(" · ");
  const note = state.notes[seat] ?? usual;
  const press = () => {
    if (state.sheet === "team" && !us) return accuse(table, it.team);
    state.notes[seat] = it.host ? t("seat.host") : it.name ?? t("seat.free");
    setTimeout(() => { delete state.notes[seat]; redraw(); }, 3000);
    redraw();
  };
  return html`<section
      class=${cls("seat", area(at, seat), teamClass(it.team), { partner: seat === at.partner, side: seat !== at.partner, us })}
      data-seat=${seat}>
    <button type="button" class="sit" aria-label=${described(at, seat, us, away)} onClick=${press}>
      <span class="face">${it.channel.held && html`<${Signal} channel=${it.channel} mine=${partner} />`}<${Token}
          team=${it.team} us=${us} off=${away || !it.player} wait=${it.swap_ready_at} /></span>
      <span class="who"><b title=${it.name}>${it.name ?? t("seat.free")}</b>${note && html`<small>${note}</small>`}</span>
    </button>
    <${Fan} count=${it.cards} />
  </section>`;
}

/** @param {any} at @param {number} seat @param {boolean} us @param {boolean} away */
function described(at, seat, us, away) {
  const it = at.view.seats[seat];
  const shows = !it.channel.held ? "" : it.channel.emoji ? t("seat.shows", { sign: t(`sign.${it.channel.emoji}`) }) : t("seat.silent");
  const parts = [it.name ?? t("seat.free"), t("seat.team", { team: teamName(it.team) }), us ? t("seat.partner") : "", away ? t("seat.away") : "", it.bot ? t("seat.bot") : "", it.host ? t("seat.host") : "", shows];
  return parts.filter(Boolean).join(", ");
}

/** What a channel shows; it hops at each beat, all clients alike by `next_beat`. */
export function Signal({ channel, mine }) {
  const tile = useRef(/** @type {HTMLElement|null} */ (null));
  useEffect(() => { if (channel.emoji) hop(tile.current); }, [channel.emoji]);
  useEffect(() => {
    if (!channel.next_beat) return;
    setTimeout(() => {
      hop(tile.current);
      if (mine && tile.current) play("pip");
    }, left(channel.next_beat));
  }, [channel.next_beat]);
  return html`<span class=${cls("signal emoji", { held: !channel.emoji })} ref=${tile} aria-hidden="true">
      <span>${channel.emoji}</span></span>`;
}

/** @param {HTMLElement|null} tile */
function hop(tile) {
  if (!tile || document.hidden) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  tile.animate([{ opacity: 0 }, { opacity: 1, offset: 0.1 }, { opacity: 1, offset: 0.9 }, { opacity: 0 }], { duration: 400, pseudoElement: "::after" });
  if (!still) tile.firstElementChild?.animate([{ scale: 1 }, { scale: 1.18 }, { scale: 1 }], { duration: 400, easing: "ease-in-out" });
}

/** For the ear: who sits in a team. @param {any} table @param {number[]} seats */
export const namesOf = (table, seats) => seats.map((seat) => (seat === table.seat ? t("seat.you") : table.name(seat)));

