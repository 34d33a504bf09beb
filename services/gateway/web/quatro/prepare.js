// Preparation: the pair with a dashed tile between them, and the wall of twenty-four signs (Q-SIGN).
import { minutes, useSeconds } from "../clock.js";
import { coded, t } from "../i18n.js";
import { arrows, bind } from "../keys.js";
import { cls, html, useEffect } from "../lib.js";
import { Icon, teamClass, Token } from "../parts.js";
import { say } from "../say.js";
import { play } from "../sound.js";
import { redraw } from "../state.js";
import { grouped, reveal } from "../shell/chance.js";
import { Line } from "./line.js";
import { look, SIGNS } from "./look.js";
import { stateOf } from "./state.js";

/** @param {{table: any}} props */
export function Prepare({ table }) {
  const at = look(table);
  const state = stateOf(table);
  useEffect(() => bind("quatro", () => [{ key: "D", label: t("key.ready"), run: () => table.can("Ready") && sayReady(table) },
    { key: "L", label: t("key.sayLast"), run: () => say(state.lastSaid || t("say.nothing")) }]), [table]);
  const sign = at.own?.sign ?? null;
  const picked = sign !== null;
  const partner = table.name(at.partner);
  const title = at.watching ? t("prepare.watching") : picked ? state.signRefused || t("prepare.set", { sign: t(`sign.${sign}`) }) : t("prepare.pick");
  const line = at.watching ? t("prepare.watching.line") : t(picked ? "prepare.set.line" : "prepare.pick.line", { partner });
  return html`<div class="page"><${Line} table=${table} label="top.opens" />
    <main class=${cls("prep", { picked, off: !table.open })}><div class="cloth"></div>
      <div class="title"><h2 class="h1">${title}</h2><p>${line}</p></div>
      ${!at.watching && html`<${Pair} table=${table} at=${at} sign=${sign} />`}
      ${!at.watching && html`<${Wall} table=${table} sign=${sign} />`}
      <${Others} table=${table} at=${at} />
      <${Foot} table=${table} at=${at} />
    </main></div>`;
}

function Pair({ table, at, sign }) {
  const one = (seat, name) => html`<div class="you"><${Token} team=${at.team} us=${true} />
    <b title=${name}>${name}</b><${ReadyOrNot} seat=${at.view.seats[seat]} /></div>`;
  return html`<div class=${cls("pair us", teamClass(at.team))}>${one(at.me, t("seat.you"))}
    <div class="secret" key=${sign}>${sign ? html`<span class="emoji" role="img"
        aria-label=${t(`sign.${sign}`)}>${sign}</span>` : html`<span class="none" role="img"
        aria-label=${t("prepare.none")}>?</span>`}</div>
    ${one(at.partner, table.name(at.partner))}</div>`;
}

/** Others show only whether they are ready (Q-SIGN-3). */
const ReadyOrNot = ({ seat }) => (seat.ready
  ? html`<small class="yes"><${Icon} name="ok" />${t("prepare.isReady")}</small>`
  : html`<small>${t(seat.player && !seat.bot && !seat.connected ? "seat.away" : "prepare.notReady")}</small>`);

function Wall({ table, sign }) {
  const used = table.own?.last_sign;
  return html`<div class="wall" role="group" aria-label=${t("prepare.wall")} onKeyDown=${arrows}>
    ${SIGNS.map((one, i) => html`<button type="button" key=${one} data-stop tabindex=${i ? -1 : 0}
        class=${cls("pick", { chosen: one === sign, used: one === used })}
      aria-label=${one === used ? t("prepare.used", { sign: t(`sign.${one}`) }) : t(`sign.${one}`)} aria-pressed=${one === sign} aria-disabled=${one === used || sign !== null}
      title=${one === used ? t("prepare.usedShort") : null} onClick=${() => pick(table, one)}><span class="emoji"
          aria-hidden="true">${one}</span></button>`)}
  </div>`;
}

/** @param {any} table @param {string} sign */
async function pick(table, sign) {
  const { own } = table;
  if (own.sign !== null || sign === own.last_sign || !table.can("PickSign")) return;
  const verdict = await table.send({ type: "PickSign", sign });
  const at = look(table);
  const state = stateOf(table);
  if (verdict.accepted) play("signSet");
  else if (verdict.refused === "sign_already_set" && table.own?.sign) state.signRefused = t("prepare.first", { name: table.name(at.partner), sign: t(`sign.${table.own.sign}`) });
  else state.signRefused = coded("refused", verdict.refused ?? "unknown");
  redraw();
}

function Others({ table, at }) {
  const seats = at.watching ? [at.me, ...at.around] : at.around.filter((seat) => seat !== at.partner);
  return html`<div class="others">${seats.map((seat) => {
    const { team, connected, bot, player } = at.view.seats[seat];
    return html`<div key=${seat} class=${cls("seat", teamClass(team))}><${Token} team=${team}
        off=${player && !bot && !connected} /><span class="who"><b title=${table.name(seat)}>${table.name(seat)}</b>
        <${ReadyOrNot} seat=${at.view.seats[seat]} /></span></div>`;
  })}</div>`;
}

/** Ready can't be taken back: the button turns into whom we wait for. */
function Foot({ table, at }) {
  const seconds = useSeconds(at.view.deadline);
  const waits = at.view.seats.flatMap((seat, i) => (seat.ready || i === at.me ? [] : [table.name(i)]));
  const ready = at.watching || at.view.seats[at.me].ready;
  const first = waits.length > 1 ? t("prepare.waitingN", { n: waits.length }) : t("prepare.waiting", { name: waits[0] ?? "" });
  return html`<div class="foot">
    ${ready ? html`<p class="waits" role="status">${at.watching ? "" : first}</p>` : html`<button type="button"
        class="btn main big" onClick=${() => sayReady(table)}>${t("prepare.ready")}</button>`}
    <small>${t("prepare.opens", { time: minutes(seconds ?? 0) })} ${t("prepare.lot")}<br />${at.view.commitment && html`${t("prepare.sealed")} <b>${grouped(at.view.commitment)}</b>`}</small>
        </div>`;
}

/** @param {any} table */
export const sayReady = (table) => table.sendAndSay({ type: "Ready", ...reveal(table) });
