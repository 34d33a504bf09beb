// The others at the table: token, name, how many cards, the families before each; whose turn it is.
import { t } from "../i18n.js";
import { cls, html } from "../lib.js";
import { Back, Token } from "../parts.js";
import { redraw } from "../state.js";
import { mayAsk, tapPlayer } from "./ask.js";
import { Tag } from "./cards.js";
import { setsOf } from "./look.js";
import { familyName } from "./names.js";
import { stateOf } from "./state.js";

const BACKS_MAX = 12;

/** @param {{table: any, at: ReturnType<typeof import("./look.js").look>}} props */
export function Players({ table, at }) {
  return html`<div class=${`players p${at.around.length}`} role="group" aria-label=${t("kw.players")}>
    ${at.around.map((seat) => html`<${Player} key=${seat} table=${table} at=${at} seat=${seat} />`)}
    ${at.view.stock > 0 && html`<${Stock} n=${at.view.stock} />`}</div>`;
}

function Player({ table, at, seat }) {
  const it = at.view.seats[seat];
  const state = stateOf(table);
  const sets = setsOf(at.view, seat);
  const on = at.view.turn === seat;
  const away = Boolean(it.player) && !it.bot && !it.connected;
  const out = it.cards === 0 && at.view.phase === "playing";
  const may = at.mine && mayAsk(table, seat);
  const about = away ? t("seat.away") : it.bot ? t("seat.bot") : "";
  const note = [out ? t("kw.out") : t("kw.cards", { n: it.cards }), about].filter(Boolean).join(" · ");
  const whole = [it.name, note, it.host ? t("seat.host") : "", on ? t("kw.asks") : ""].filter(Boolean).join(", ");
  return html`<section class=${cls("player", { on, askable: may, picked: state.to === seat, out })} data-seat=${seat}>
    <button type="button" class="whom" aria-label=${whole} aria-disabled=${!may} aria-pressed=${state.to === seat} onClick=${() => tapPlayer(table, seat)}>
      <${Token} name=${it.name} us=${on} off=${away} /><span class="who"><b title=${it.name}>${it.name}</b><small>${out ? t("kw.out") : t("kw.cards", { n: it.cards })}${about && html` <span class="about">${about}</span>`}</small></span>
      <span class="backs" aria-hidden="true">${Array.from({ length: Math.min(it.cards, BACKS_MAX) }, (_, i) => html`<${Back} key=${i} />`)}</span></button>
    <div class="before">${on && html`<span class="asks" aria-hidden="true">${t("kw.asks")}</span>`}<${Sets} table=${table} view=${at.view} seat=${seat} sets=${sets} name=${it.name} /></div></section>`;
}

/** Families laid down, always in view; a tap shows their cards. */
export function Sets({ table, view, seat, sets, name }) {
  if (!sets.length) return null;
  const open = () => { stateOf(table).sheet = { kind: "sets", seat }; redraw(); };
  return html`<button type="button" class=${cls("sets", { many: sets.length > 3 })} aria-haspopup="dialog" aria-label=${t("kw.setsOf", { name, families: sets.map((one) => familyName(view, one)).join(", ") })} onClick=${open}>
    ${sets.map((family) => html`<${Tag} key=${family} view=${view} family=${family} />`)}</button>`;
}

/** The face-down stock of two players (K-VAR-2). */
const Stock = ({ n }) => html`<div class="stock"><${Back} /><span class="who"><b>${n}</b><small>${t("kw.stock", { n })}</small></span></div>`;
