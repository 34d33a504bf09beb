// The table being laid: the code, the QR, the seats around the cloth, Start. The same for every game.
import { has, t } from "../i18n.js";
import { cls, html, useState } from "../lib.js";
import { Icon, teamClass, Token } from "../parts.js";
import { say } from "../say.js";
import { worded } from "./rules.js";
import { go } from "../route.js";
import { MenuButton, Says } from "./top.js";

/** @param {{table: any}} props */
export function Lobby({ table }) {
  const { public: view, info } = table;
  const code = info?.code ?? table.code;
  return html`<div class="page laypage">
    <header class="top"><button type="button" class="btn icon" aria-label=${t("menu.leave")} onClick=${() => table.leave()}><${Icon} name="back" /></button>
      <h1 class="show title">${t(`game.${view.game}`)}</h1><small>${t("start.nSeats", { n: view.seats.length })}${view.pack && ` · ${has(`pack.${view.pack.name}`) ? t(`pack.${view.pack.name}`) : view.pack.name}`}</small><span class="push"></span><${MenuButton} /><${Says} table=${table} /></header>
    <main class=${cls("lay", { off: !table.open })}>
      ${code && html`<${Invite} table=${table} code=${code} view=${view} />`}
      <${Round} table=${table} view=${view} />
      <${Foot} table=${table} view=${view} />
    </main></div>`;
}

function Invite({ table, code, view }) {
  const share = async () => { try { await navigator.share({ url: table.link, title: t("lobby.shareTitle", { game: t(`game.${view.game}`) }) }); } catch { /* the person thought better of it */ } };
  return html`<section class="invite" aria-label=${t("lobby.invite")}>
    <div><p class="lab">${t("lobby.code")}</p><div class="code" role="img" aria-label=${[...code].join(" ")}>${[...code].map((one, i) => html`<span key=${i}>${one}</span>`)}</div></div>
    <img class="qr" src=${`/api/qr/${encodeURIComponent(code)}.svg`} alt=${t("lobby.qr")} width="104" height="104" />
    <div class="acts"><button type="button" class="btn" onClick=${() => table.copyLink()}><${Icon} name="copy" />${t("lobby.copy")}</button>
      ${"share" in navigator && html`<button type="button" class="btn main" onClick=${share}><${Icon} name="share" />${t("lobby.share")}</button>`}</div>
    <${House} view=${view} />
    <dl class="facts"><dt>${t("rules.title")}</dt><dd>${worded(view.game, view.rules).join(", ") || t("rules.usual")}</dd>
      <dt>${t("lobby.who")}</dt><dd>${t(table.info?.private === false ? "rules.open" : "rules.private")}</dd>
      ${view.watching ? html`<dt>${t("lobby.watching")}</dt><dd>${view.watching}</dd>` : null}</dl>
  </section>`;
}

/** On a phone only what differs from the ordinary rules is said. */
function House({ view }) {
  const rules = worded(view.game, view.rules);
  return rules.length > 0 && html`<p class="odd small">${t("rules.summary", { rules: rules.join(", ") })}</p>`;
}

/** Places round the table, mine below, clockwise; percent of the cloth. @param {number} n */
export function places(n) {
  return Array.from({ length: n }, (_, i) => {
    const angle = Math.PI / 2 + (2 * Math.PI * i) / n;
    return { x: 50 + 35 * Math.cos(angle), y: 50 + 36 * Math.sin(angle) };
  });
}

function Round({ table, view }) {
  const n = view.seats.length;
  const me = table.seat ?? 0;
  const at = places(n);
  return html`<section class=${cls("round", `r${n}`)} aria-label=${t("lobby.table")}><div class="cloth"></div>
    <svg class="figure" aria-hidden="true"><use href="#quad" /></svg>
    ${view.seats.map((_, i) => {
      const seat = (me + i) % n;
      return html`<${Chair} key=${seat} table=${table} view=${view} seat=${seat} at=${at[i]} />`;
    })}</section>`;
}

function Chair({ table, view, seat, at }) {
  const { player, name, bot, host, connected, team } = view.seats[seat];
  const mine = seat === table.seat;
  const style = { left: `${at.x}%`, top: `${at.y}%` };
  const us = team !== undefined && table.seat !== null && team === view.seats[table.seat].team;
  if (!player) {
    return html`<div class=${cls("chair", teamClass(team))} style=${style}>
      <button type="button" class="free" aria-label=${t(table.seat === null ? "lobby.sitHere" : "lobby.move", { seat: seat + 1 })} onClick=${() => table.sendAndSay({ type: "Sit", seat })}><${Icon} name="plus" /></button>
      ${table.host ? html`<button type="button" class="btn" aria-label=${t("lobby.botAt", { seat: seat + 1 })} onClick=${() => table.sendAndSay({ type: "AddBot", seat })}>${t("lobby.bot")}</button>` : html`<b>${t("seat.free")}</b>`}
    </div>`;
  }
  const note = mine ? (host ? "seat.host" : "") : us ? "seat.partner" : !connected && !bot ? "seat.away" : host ? "seat.host" : bot ? "seat.bot" : "";
  return html`<div class=${cls("chair", teamClass(team), { us })} style=${style}>
    <${Token} team=${team} name=${name} us=${us || mine} off=${!connected && !bot} />
    <span class="named"><b title=${name}>${mine ? t("seat.you") : name}</b>${note && html`<small>${t(note)}</small>`}</span>
    ${!mine && table.can(bot ? "RemoveBot" : "FreeSeat") && html`<${TakeAway} table=${table} seat=${seat} />`}
  </div>`;
}

/** Two taps free a seat: the first asks. */
export function TakeAway({ table, seat }) {
  const { name, bot } = table.public.seats[seat];
  const [sure, set] = useState(false);
  const tap = () => {
    if (sure) table.sendAndSay({ type: bot ? "RemoveBot" : "FreeSeat", seat });
    else setTimeout(() => set(false), 3000);
    set(!sure);
  };
  return html`<button type="button" class="btn icon away" aria-label=${t(sure ? "lobby.botSure" : bot ? "lobby.botAway" : "lobby.personAway", { name })} onClick=${tap}>${sure ? t("lobby.sure") : html`<${Icon} name="x" />`}</button>`;
}

function Foot({ table, view }) {
  const free = view.seats.filter((seat) => !seat.player).length;
  if (table.seat === null) {
    return html`<div class="foot">${free ? html`<button type="button" class="btn main big" onClick=${() => table.sendAndSay({ type: "Sit" })}>${t("join.sit")}</button>` : null}
      <small role="status">${t(free ? "lobby.watchingFree" : "lobby.watchingFull")}</small></div>`;
  }
  const host = view.seats.find((seat) => seat.host)?.name ?? table.info?.host ?? "";
  const ready = free === 0;
  const words = !ready ? t("lobby.missing", { n: free }) : table.host ? t("lobby.ready") : t("lobby.waitHost", { host });
  const across = view.seats[0].team !== undefined && has("lobby.across") ? ` ${t("lobby.across")}` : "";
  return html`<div class="foot">
    ${table.host && html`<button type="button" class="btn main big" aria-disabled=${!ready} onClick=${() => ready && table.sendAndSay({ type: "StartGame" })}>${t("lobby.start")}</button>`}
    <small>${words}${ready ? "" : across}</small></div>`;
}

/** What others do in the lobby, for the ear. @param {any} table @param {any} before */
export function lobbyChanged(table, before) {
  if (!before) return;
  const { seats } = table.public;
  const now = new Set(seats.map((seat) => seat.player));
  seats.forEach((seat, i) => {
    const was = before.public.seats[i];
    if (!was || i === table.seat) return;
    if (seat.player && seat.player !== was.player) say(t("say.sat", { name: seat.name, seat: i + 1 }));
    if (was.player && !now.has(was.player)) say(t("say.left", { name: was.name }));
  });
  const full = (all) => all.every((seat) => seat.player);
  if (full(seats) && !full(before.public.seats)) say(t(table.host ? "say.allTaken" : "lobby.waitHost", { host: seats.find((seat) => seat.host)?.name ?? "" }));
  if (before.public.phase !== "seating") go({ page: "table", id: table.id, code: table.code }, true);
}
