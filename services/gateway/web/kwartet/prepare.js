// Preparation: the pack is looked through while players say that they are ready; the deal is already sealed (T-CHANCE-1).
import { minutes, useSeconds } from "../clock.js";
import { t } from "../i18n.js";
import { bind } from "../keys.js";
import { cls, html, useEffect } from "../lib.js";
import { Icon, Token } from "../parts.js";
import { grouped, reveal } from "../shell/chance.js";
import { Line } from "./line.js";
import { look } from "./look.js";
import { familyName, packTitle } from "./names.js";
import { Tile } from "./tile.js";

/** @param {any} table */
const ready = (table) => table.sendAndSay({ type: "Ready", ...reveal(table) });

/** @param {{table: any}} props */
export function Prepare({ table }) {
  const at = look(table);
  const { pack } = at.view;
  useEffect(() => bind("kwartet", () => [{ key: "D", label: t("key.ready"), run: () => table.can("Ready") && ready(table) }]), [table]);
  return html`<div class="page kw"><${Line} table=${table} title=${t("game.kwartet")} label="top.opens" />
    <main class=${cls("kprep", { off: !table.open })}>
      <header><h2 class="h1" lang=${pack.language}>${packTitle(pack.name, at.ordinary)}</h2><p class="lead">${t("packs.count", { families: pack.families.length, cards: pack.families.length * 4 })}</p></header>
      <div class="tiles-of" tabindex="0" role="group" aria-label=${t("packs.families")}>${pack.families.map((family) => html`<${Tile} key=${family.name} family=${family} name=${familyName(at.view, family.name)} ordinary=${at.ordinary} language=${pack.language} />`)}</div>
      <${Foot} table=${table} at=${at} /></main></div>`;
}

/** Ready can't be taken back: the button turns into whom we wait for. */
function Foot({ table, at }) {
  const seconds = useSeconds(at.view.deadline);
  const waits = at.view.seats.flatMap((seat, i) => (seat.ready || i === table.seat ? [] : [table.name(i)]));
  const done = at.watching || at.view.seats[at.me].ready;
  const words = at.watching ? "" : waits.length > 1 ? t("prepare.waitingN", { n: waits.length }) : t("prepare.waiting", { name: waits[0] ?? "" });
  return html`<div class="kfoot"><ul class="who-ready">${at.view.seats.map((seat, i) => html`<li key=${i} class=${cls({ yes: seat.ready })}><${Token} name=${seat.name} us=${i === table.seat} off=${seat.player && !seat.bot && !seat.connected} />
      <span class="who"><b title=${seat.name}>${i === table.seat ? t("seat.you") : seat.name}</b><small>${seat.ready && html`<${Icon} name="ok" />`}${t(seat.ready ? "prepare.isReady" : "prepare.notReady")}</small></span></li>`)}</ul>
    ${done ? html`<p class="waits" role="status">${words}</p>` : html`<button type="button" class="btn main big" onClick=${() => ready(table)}>${t("prepare.ready")}</button>`}
    <small>${t("prepare.opens", { time: minutes(seconds ?? 0) })}${at.view.commitment && html` ${t("prepare.sealed")} <b>${grouped(at.view.commitment)}</b>`}</small></div>`;
}
