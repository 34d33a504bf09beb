// Kwartet in the dispute room: players with their families and whatever of their hands could be seen; the last question.
import { t } from "../i18n.js";
import { cls, html } from "../lib.js";
import { Back, Card, Token } from "../parts.js";
import { Picture, Tag } from "../kwartet/cards.js";
import { nameOf } from "../kwartet/names.js";
import { outcome } from "./tell.js";
import { handOf } from "./scene.js";

const BACKS_MAX = 12;

/** @param {{book: any, picture: any, from: import("./book.js").From, index: number, scene?: any}} props */
export function Kwartet({ book, picture, from, index, scene }) {
  const view = picture.public;
  const n = view.seats.length;
  const first = typeof from === "number" ? from : 0;
  const order = Array.from({ length: n }, (_, i) => (first + i) % n);
  return html`<div class="kwscene">
    ${scene && html`<p class=${cls("asked", { no: scene.refused })}>${outcome(book, scene, index)}</p>`}
    <div class=${`kwseats p${n}`}>${order.map((seat) => html`<${Player} key=${seat} book=${book} picture=${picture} seat=${seat} index=${index} />`)}</div>
    ${view.stock > 0 && html`<p class="stockline"><${Back} />${t("audit.stock", { n: view.stock })}</p>`}</div>`;
}

function Player({ book, picture, seat, index }) {
  const view = picture.public;
  const it = view.seats[seat];
  const name = book.name(seat, index);
  const cards = handOf(picture, seat);
  const on = view.turn === seat;
  const laid = view.exposed.filter((one) => one.seat === seat);
  return html`<div class=${cls("spot kwspot", { on })} data-seat=${seat}><span class="nm"><${Token} name=${name} us=${on} off=${!it.player} /><b>${name}</b>
      ${on && html`<small>${t("audit.turn")}</small>`}<span class="push">${it.cards}</span></span>
    ${laid.length > 0 && html`<div class="laid">${laid.map(({ family }) => html`<${Tag} key=${family} view=${view} family=${family} />`)}</div>`}
    <div class="kwhand" role="group" aria-label=${t("audit.hand", { name })}>${cards ? sorted(view, cards).map((card) => html`<${Held} key=${card.family + card.member} view=${view} card=${card} />`)
      : html`<span class="vh">${t("audit.hand.closed", { n: it.cards })}</span>${Array.from({ length: Math.min(it.cards, BACKS_MAX) }, (_, i) => html`<${Back} key=${i} />`)}`}</div></div>`;
}

/** By families, in the pack's order. @param {any} view @param {{family: string, member: string}[]} cards */
function sorted(view, cards) {
  const order = new Map(view.pack.families.flatMap((family, i) => family.members.map((member, j) => [`${family.name}\n${member.name}`, i * 4 + j])));
  const place = (/** @type {{family: string, member: string}} */ card) => order.get(`${card.family}\n${card.member}`) ?? 0;
  return cards.toSorted((a, b) => place(a) - place(b));
}

function Held({ view, card }) {
  if (view.pack.name === "ordinary") return html`<${Card} card=${card.family + card.member} />`;
  const picture = view.pack.families.find((one) => one.name === card.family)?.members.find((one) => one.name === card.member)?.picture;
  return html`<span class="chip" lang=${view.pack.language}><${Picture} picture=${picture} /><span>${nameOf(view, card)}<small>${card.family}</small></span></span>`;
}
