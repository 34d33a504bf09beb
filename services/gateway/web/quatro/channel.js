// My channel and our sign: a strip on a phone, all twenty-four always there on a desktop.
import { useSeconds, useUntil } from "../clock.js";
import { coded, t } from "../i18n.js";
import { arrows } from "../keys.js";
import { cls, html } from "../lib.js";
import { Icon } from "../parts.js";
import { say } from "../say.js";
import { redraw, toast } from "../state.js";
import { SIGNS } from "./look.js";
import { stateOf } from "./state.js";

/** @param {{table: any, at: ReturnType<typeof import("./look.js").look>}} props */
export function Channel({ table, at }) {
  const state = stateOf(table);
  const { held, emoji } = at.view.seats[at.me].channel;
  const waits = useUntil(at.own.channel_ready_at);
  const seconds = useSeconds(waits ? at.own.channel_ready_at : null);
  const sign = at.own.sign;
  const button = held
    ? html`<button type="button" class="btn bare give" aria-disabled=${waits}
        onClick=${() => !waits && turn(table, "GiveChannel")}>${t("channel.give")}${waits && html` <small>${seconds}</small>`}</button>`
    : html`<button type="button" class="btn take" aria-disabled=${waits}
        onClick=${() => !waits && turn(table, "TakeChannel")}>${t("channel.take")}${waits && html` <small>${seconds}</small>`}<kbd
        class="keys" aria-hidden="true">T</kbd></button>`;
  return html`<section class=${cls("chan", { held })} aria-label=${t("channel.label")}>
    <div class="chanhead">${sign && html`<${OurSign} state=${state} sign=${sign} />`}
      <div class="air">${held && html`<${Quick} table=${table} at=${at} state=${state} />
        <button type="button" class="pick quick all" aria-label=${t("channel.all")}
            aria-expanded=${state.sheet === "palette"} onClick=${() => { state.sheet = "palette"; redraw(); }}>
            <${Icon} name="grid" /></button>
        <span class="wide small onair">${emoji ? html`${t("channel.onAir")} <span
            class="emoji">${emoji}</span>` : t("channel.choose")}</span>`}
        ${button}</div></div>
    <${Palette} table=${table} at=${at} class="palette" shut=${!held} /></section>`;
}

/** A tap turns our sign face down: people in one room, shared screens. */
function OurSign({ state, sign }) {
  const turn = () => { state.faceDown = !state.faceDown; redraw(); };
  return html`<div class="sign"><button type="button" class=${cls("tile emoji", { down: state.faceDown })}
      aria-label=${state.faceDown ? t("sign.hidden") : t("sign.ours", { sign: t(`sign.${sign}`) })}
      aria-pressed=${state.faceDown} onClick=${turn}>
    ${state.faceDown ? html`<svg class="g" aria-hidden="true"><use href="#quad" /></svg>` : sign}</button>
        <small>${t("sign.tag")}</small></div>`;
}

/** On a phone: what is on air, our sign, the last other. */
function Quick({ table, at, state }) {
  const { emoji } = at.view.seats[at.me].channel;
  const sign = state.faceDown ? null : at.own.sign;
  const others = [emoji, sign, ...state.lastShown, SIGNS[1], SIGNS[3], SIGNS[2]].filter(Boolean);
  const few = [...new Set(others)].slice(0, 3);
  return html`<span class="quick">${!emoji && html`<small class="choosing">${t("channel.choose")}</small>`}
    ${few.slice(0, emoji ? 3 : 2).map((one) => html`<${Pick} key=${one} table=${table} at=${at} one=${one} />`)}</span>`;
}

/** All twenty-four; the sheet of the phone and the palette of the desktop. */
export function Palette({ table, at, class: more, shut }) {
  return html`<div class=${cls(more, { idle: shut })} role="group" aria-label=${t("channel.palette")} onKeyDown=${arrows}>
    ${SIGNS.map((one, i) => html`<${Pick} key=${one} table=${table} at=${at} one=${one} index=${i} shut=${shut} />`)}</div>`;
}

function Pick({ table, at, one, index, shut }) {
  const { emoji } = at.view.seats[at.me].channel;
  const on = one === emoji;
  const mine = one === at.own.sign && !stateOf(table).faceDown;
  const next = one === at.own.emoji_next && !on;
  const roving = index === undefined ? {} : { "data-stop": "", tabindex: index ? -1 : 0 };
  const words = [t(`sign.${one}`), mine ? t("sign.tag") : "", on ? t("channel.onAir") : "", next ? t("channel.next") : ""].filter(Boolean).join(", ");
  return html`<button type="button" class=${cls("pick emoji", { on, mine, next })} aria-label=${words}
      aria-pressed=${on} aria-disabled=${shut || null}
      onClick=${() => !shut && show(table, one)} ...${roving}>${one}</button>`;
}

/** @param {any} table @param {"TakeChannel"|"GiveChannel"} type */
export async function turn(table, type) {
  const verdict = await table.send({ type });
  const state = stateOf(table);
  if (!verdict.accepted) return toast(coded("refused", verdict.refused ?? "unknown"));
  if (type === "GiveChannel" && state.sheet === "palette") state.sheet = null;
  say(t(type === "TakeChannel" ? "say.channelMine" : "say.channelGiven"));
  redraw();
}

/** @param {any} table @param {string} emoji */
export async function show(table, emoji) {
  const state = stateOf(table);
  if (!table.can("ShowEmoji")) return;
  if (state.sheet === "palette") state.sheet = null;
  const verdict = await table.send({ type: "ShowEmoji", emoji });
  if (!verdict.accepted) return toast(coded("refused", verdict.refused ?? "unknown"));
  state.lastShown = [emoji, ...state.lastShown.filter((one) => one !== emoji)].slice(0, 3);
  say(t("say.showing", { sign: t(`sign.${emoji}`) }));
}
