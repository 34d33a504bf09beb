// The open round: partner, sides, centre, hand, channel, calls. In that order for the tab key too.
import { t } from "../i18n.js";
import { cls, html, useEffect } from "../lib.js";
import { bind } from "../keys.js";
import { cardName, Icon } from "../parts.js";
import { say } from "../say.js";
import { redraw, toast } from "../state.js";
import { Calls, counter, quatro, Sheets, accuse } from "./calls.js";
import { Channel, show, turn } from "./channel.js";
import { Centre, Hand } from "./cloth.js";
import { Line, Reshuffle } from "./line.js";
import { look, rivals } from "./look.js";
import { SeatAt } from "./seats.js";
import { letGo, tapHand, tapPlace } from "./swap.js";
import { stateOf } from "./state.js";

/** @param {{table: any}} props */
export function Play({ table }) {
  const at = look(table);
  const state = stateOf(table);
  useEffect(() => bind("quatro", () => keys(table)), [table]);
  // what a sheet covers can't be reached; on a wide screen it covers nothing in play
  const covered = state.sheet !== null && matchMedia("(max-width: 56.1875em), (max-height: 34em)").matches;
  const loose = (event) => { if (event.target === event.currentTarget || event.target.classList.contains("centre")) letGo(table); };
  return html`<div class="page playing"><${Line} table=${table} label="top.left" />
    <main class=${cls("table", `n${at.n}`, { off: !table.open, watching: at.watching })} onClick=${loose}><div class="cloth"></div>
      <div class="corner tl"><${Reshuffle} table=${table} /></div>
      <div class="corner tr">${at.view.watching ? html`<span class="eyes" role="img"
          aria-label=${t("top.watching", { n: at.view.watching })}><${Icon}
          name="eye" />${at.view.watching}</span>` : null}</div>
      ${at.around.map((seat) => html`<${SeatAt} key=${seat} table=${table} at=${at} seat=${seat} />`)}
      <${Centre} table=${table} at=${at} />
      ${at.watching ? html`<${Watching} table=${table} at=${at} />` : html`
        <div class="myhand" inert=${covered}><${Hand} table=${table} at=${at} /></div>
        <div class="mychan" inert=${covered}><${Channel} table=${table} at=${at} /></div>
        <${Calls} table=${table} at=${at} /><${Sheets} table=${table} at=${at} />`}
    </main></div>`;
}

/** The same table from seat 0, without a hand. */
function Watching({ table, at }) {
  const free = at.view.seats.some((seat) => !seat.player);
  return html`<div class="myhand"><${SeatAt} table=${table} at=${at} seat=${at.me} /></div>
    <div class="watchstrip"><p role="status">${t("watching.line")}</p>${free && html`<small>${t("watching.free")}</small>`}</div>`;
}

/** The keys of an open round (the design's section 9). @param {any} table @returns {import("../types.js").Key[]} */
function keys(table) {
  const at = look(table);
  const state = stateOf(table);
  if (table.phase !== "playing" || at.watching) return [];
  const teams = state.sheet === "team" ? rivals(at).map((team, i) => ({ key: String(i + 1), label: "", quiet: true, run: () => accuse(table, team) })) : [];
  const slots = at.hand.map((card, i) => ({ key: String(i + 1), label: i ? "" : t("key.hand"), caps: ["1", "2", "3", "4"], quiet: i > 0, run: () => tapHand(table, card) }));
  const places = [..."QWER"].map((key, place) => ({ key, label: place ? "" : t("key.place"), caps: [..."QWER"], quiet: place > 0, run: () => tapPlace(table, place) }));
  return [...teams, ...slots, ...places,
    { key: "Q", shift: true, label: t("call.quatro"), run: () => quatro(table) },
    { key: "C", shift: true, label: t("call.counter"), run: () => counter(table) },
    { key: "T", label: t("key.channel"), run: () => turn(table, at.view.seats[at.me].channel.held ? "GiveChannel" : "TakeChannel") },
    { key: "S", label: t("key.sign"), run: () => showSign(table) },
    { key: "Y", label: t("key.yes"), run: () => answer(table, true) },
    { key: "N", label: t("key.no"), run: () => answer(table, false) },
    { key: "H", label: t("key.sayHand"), run: () => say(handWords(at.hand)) },
    { key: "X", label: t("key.sayCentre"), run: () => say(t("say.centre", { cards: at.view.centre.map(cardName).join(", ") })) },
    { key: "L", label: t("key.sayLast"), run: () => say(state.lastSaid || t("say.nothing")) },
    { key: "Escape", label: t("key.letGo"), run: () => { state.sheet = null; letGo(table); redraw(); } },
  ];
}

/** @param {string[]} hand */
export const handWords = (hand) => t("say.hand", { cards: hand.map(cardName).join(", ") });

/** S shows our sign on my channel, where I have it. @param {any} table */
function showSign(table) {
  if (!table.can("ShowEmoji")) return toast(t("channel.first"));
  show(table, table.own.sign);
}

/** @param {any} table @param {boolean} agree */
function answer(table, agree) {
  if (table.can("AnswerReshuffle")) table.sendAndSay({ type: "AnswerReshuffle", agree });
}
