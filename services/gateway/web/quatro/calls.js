// The two calls: two shapes, two colours, two corners, two sentences. And what is asked before one is sent.
import { list, t } from "../i18n.js";
import { cls, html, useEffect, useRef } from "../lib.js";
import { Glyph, Icon, rank, TEAMS, teamClass, teamName } from "../parts.js";
import { shout } from "../say.js";
import { settings } from "../settings.js";
import { redraw, toast } from "../state.js";
import { Palette } from "./channel.js";
import { note } from "./late.js";
import { look, members, rivals } from "./look.js";
import { stateOf } from "./state.js";

/** @param {{table: any, at: ReturnType<typeof look>}} props */
export function Calls({ table, at }) {
  const state = stateOf(table);
  const others = rivals(at);
  const accused = others.length === 1 ? t("call.counter.line", { team: teamName(others[0]) }) : t("call.counter.other");
  return html`<div class=${cls("calls", { swapped: settings.swapCalls, covered: state.sheet === "team" || state.sheet === "own4" })}>
    <button type="button" class=${cls("call counter", { pressed: state.called === "CallCounter" })}
        aria-disabled=${!table.can("CallCounter")} aria-keyshortcuts="Shift+C" onClick=${() => counter(table)}>
      <span><b>${t("call.counter")}</b><small>${accused}</small></span></button>
    <button type="button" class=${cls("call quatro", { pressed: state.called === "CallQuatro" })}
        aria-disabled=${!table.can("CallQuatro")} aria-keyshortcuts="Shift+Q" onClick=${() => quatro(table)}>
      <span><b>${t("call.quatro")}</b><small>${t("call.quatro.line", { partner: table.name(at.partner) })}</small></span></button>
  </div>`;
}

/** I know my own hand: the reminder is asked before, so that it never loses a race (Q-CALL-3). @param {any} table */
export function quatro(table) {
  const { hand } = look(table);
  const state = stateOf(table);
  if (!table.can("CallQuatro") || state.called) return;
  if (hand.length === 4 && hand.every((card) => rank(card) === rank(hand[0]))) {
    state.sheet = "own4";
    shout(t("say.own4", { rank: t(`ranks.${rank(hand[0])}`) }));
    return redraw();
  }
  call(table, { type: "CallQuatro" });
}

/** @param {any} table */
export function counter(table) {
  const state = stateOf(table);
  if (!table.can("CallCounter") || state.called) return;
  const others = rivals(look(table));
  if (others.length === 1) return accuse(table, others[0]);
  state.sheet = state.sheet === "team" ? null : "team";
  redraw();
}

/** @param {any} table @param {number} team */
export const accuse = (table, team) => call(table, { type: "CallCounter", team });

/** @param {any} table @param {import("../types.js").Command} command */
async function call(table, command) {
  const state = stateOf(table);
  state.sheet = null;
  state.called = /** @type {"CallQuatro"} */ (command.type);
  redraw();
  const verdict = await table.send(command);
  state.called = null;
  if (verdict.refused === "round_over") note(table, { seat: table.seat, call: command.type, margin: verdict.lost_to?.margin_us ?? 0 });
  else if (!verdict.accepted) toast(t("call.failed"));
  redraw();
}

/** What is asked over the strip, never over centre or calls. */
export function Sheets({ table, at }) {
  const state = stateOf(table);
  const close = () => { state.sheet = null; redraw(); };
  switch (state.sheet) {
    case "own4": return html`<${Own4} table=${table} at=${at} close=${close} />`;
    case "team": return html`<${Teams} table=${table} at=${at} close=${close} />`;
    case "palette": return html`<${AllSigns} table=${table} at=${at} close=${close} />`;
    default: return null;
  }
}

function AllSigns({ table, at, close }) {
  const first = useFocus();
  return html`<div class="sheet palette-sheet"><button type="button" class="btn icon shut" ref=${first}
      aria-label=${t("close")} onClick=${close}><${Icon} name="x" /></button><${Palette} table=${table} at=${at}
      class="grid24" /></div>`;
}

function Own4({ table, at, close }) {
  const first = useFocus();
  const words = t("own4.title", { rank: t(`ranks.${rank(at.hand[0])}`) });
  return html`<div class="sheet own4" role="alertdialog" aria-label=${words}><p>
      <b>${words}</b> ${t("own4.line", { partner: table.name(at.partner) })}</p>
    <div class="choices"><button type="button" class="btn"
        onClick=${() => call(table, { type: "CallQuatro", anyway: true })}>${t("own4.anyway")}</button>
      <button type="button" class="btn main" ref=${first} onClick=${close}>${t("own4.dont")}</button></div></div>`;
}

function Teams({ table, at, close }) {
  const first = useFocus();
  return html`<div class="sheet team-sheet" role="group" aria-label=${t("counter.which")}><p><b>${t("counter.which")}</b></p>
    <div class="choices">${rivals(at).map((team, i) => html`<button type="button" key=${team} ref=${i ? null : first}
        class=${cls("teamb", teamClass(team))} onClick=${() => accuse(table, team)}>
      <${Glyph}
          name=${TEAMS[team]} />${teamName(team)}<small>${list(members(at.view, team).map((seat) => table.name(seat)))}</small>
          <kbd class="keys" aria-hidden="true">${i + 1}</kbd></button>`)}</div>
    <button type="button" class="btn" onClick=${close}>${t("counter.notNow")}</button></div>`;
}

/** Focus on the first choice of what opens, and back to where it was. */
function useFocus() {
  const first = useRef(/** @type {HTMLElement|null} */ (null));
  useEffect(() => {
    const before = document.activeElement;
    first.current?.focus();
    return () => { if (before instanceof HTMLElement && before.isConnected) before.focus(); };
  }, []);
  return first;
}

