// Quatro in the dispute room: the centre, every hand that could be seen, and what the record at hand did there.
import { t } from "../i18n.js";
import { cls, html } from "../lib.js";
import { Back, Card, cardName, teamClass, Token } from "../parts.js";
import { around, handOf } from "./scene.js";

/** @param {{book: any, picture: any, from: import("./book.js").From, index: number, scene?: any}} props */
export function Quatro({ book, picture, from, index, scene }) {
  const view = picture.public;
  const n = view.seats.length;
  const at = typeof from === "number" ? from : 0;
  const side = (/** @type {number} */ place) => (place === 0 ? "ss" : place === n / 2 ? "sn" : place < n / 2 ? "sw" : "se");
  const seats = view.seats.map((_, seat) => ({ seat, place: around(seat, at, n) }));
  const spot = ({ seat }) => html`<${Spot} key=${seat} book=${book} picture=${picture} seat=${seat} index=${index} from=${from} scene=${scene} />`;
  const on = (/** @type {string} */ name, down = false) => seats.filter((one) => side(one.place) === name).sort((a, b) => (down ? a.place - b.place : b.place - a.place)).map(spot);
  return html`<div class="sn">${on("sn")}</div><div class="sw">${on("sw")}</div>
    <${Centre} book=${book} view=${view} scene=${scene} index=${index} />
    <div class="se">${on("se", true)}</div><div class="ss">${on("ss")}</div>`;
}

function Spot({ book, picture, seat, index, from, scene }) {
  const it = picture.public.seats[seat];
  const cards = handOf(picture, seat);
  const sign = picture.own[seat]?.sign;
  const team = typeof from === "number" ? picture.public.seats[from].team : 0;
  const name = book.name(seat, index);
  const { held, emoji } = it.channel;
  const air = held && html`<span class=${cls("signal emoji", { held: !emoji })} role="img" aria-label=${emoji ? t("audit.shows", { sign: t(`sign.${emoji}`) }) : t("audit.silent")}>${emoji}</span>`;
  const taken = scene?.events?.find((one) => one.type === "CardSwapped" && one.seat === seat)?.taken;
  return html`<div class=${cls("spot", teamClass(it.team), { us: it.team === team, away: it.player && !it.bot && !it.connected })} data-seat=${seat}>
    <span class="nm"><${Token} team=${it.team} us=${it.team === team} off=${!it.player} /><b>${name}</b>${air}
      ${sign && html`<span class="mysign emoji" role="img" aria-label=${t("audit.sign", { sign: t(`sign.${sign}`) })}>${sign}</span>`}</span>
    <div class="open" role="group" aria-label=${t("audit.hand", { name })}>${cards ? cards.map((card) => html`<${Card} key=${card} card=${card} class=${cls({ fresh: card === taken })} />`)
      : it.cards > 0 && html`<span class="vh">${t("audit.hand.closed", { n: it.cards })}</span>${Array.from({ length: it.cards }, (_, i) => html`<${Back} key=${i} />`)}`}</div></div>`;
}

/** The centre; the card put down is ringed and says by whom, the place a refused swap aimed at too. */
function Centre({ book, view, scene, index }) {
  const cards = view.centre.length ? view.centre : view.last_round?.centre ?? [];
  const swap = scene?.events?.find((one) => one.type === "CardSwapped");
  const aimed = scene?.refused && scene.command.type === "SwapCard" ? scene.command : null;
  const place = swap?.place ?? aimed?.place;
  return html`<div class=${cls("sc", { empty: !cards.length })} role="group" aria-label=${t("audit.centre")}>${cards.map((card, i) => {
    const hit = i === place;
    const says = hit ? t(swap ? "audit.putDown" : "audit.aimed", { name: book.sender(scene.by, index) }) : "";
    return html`<span class="pl" key=${i}>${hit && html`<span class=${cls("by", { no: !swap })}>${says}</span>`}
      <${Card} card=${card} label=${hit ? `${cardName(card)}, ${says}` : cardName(card)} class=${cls({ hit, no: hit && !swap })} /></span>`;
  })}</div>`;
}
