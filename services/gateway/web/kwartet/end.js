// The end of a game: who has the most families, shared by all who tie; each player's families as figures.
import { list, t } from "../i18n.js";
import { cls, html } from "../lib.js";
import { Glyph, Token } from "../parts.js";
import { useLate } from "../shell/top.js";
import { Tag } from "./cards.js";
import { Line } from "./line.js";
import { look, played, setsOf } from "./look.js";
import { familyName } from "./names.js";

/** @param {{table: any}} props */
export function End({ table }) {
  const at = look(table);
  const { points, winners, phase, last_round: last } = at.view;
  const over = phase === "over";
  const slow = useLate(!over);
  const ranked = points.map((_, seat) => seat).sort((a, b) => points[b] - points[a]);
  const left = last?.left ?? [];
  return html`<div class="page kw"><${Line} table=${table} title=${t("game.kwartet")} />
    <main class=${cls("kend", { off: !table.open })}>
      ${over ? html`<div class="figs">${winners.map((seat) => html`<${Figure} key=${seat} name=${table.name(seat)} />`)}</div><h2 class="h1">${title(table, winners)}</h2>`
        : html`<div class="figs"><${Figure} name="" /></div><h2 class="h1" role="status">${t(slow ? "kw.checking" : "kw.ends")}</h2>`}
      ${left.length > 0 && html`<p class="small">${t("kw.leftOpen", { families: left.map((one) => familyName(at.view, one)).join(", ") })}</p>`}
      <ol class="kfin">${ranked.map((seat) => html`<li key=${seat} class=${cls({ us: seat === table.seat, won: over && winners.includes(seat) })}><${Token} name=${table.name(seat)} us=${seat === table.seat} />
        <b class="fn">${seat === table.seat ? t("seat.you") : table.name(seat)}</b><span class="pts">${points[seat]}<span class="vh"> ${t("kw.points", { n: points[seat] })}</span></span>
        <span class="settags">${setsOf(at.view, seat).map((family) => html`<${Tag} key=${family} view=${at.view} family=${family} />`)}</span></li>`)}</ol>
      ${over && html`<div class="acts">${table.host ? html`<button type="button" class="btn main big" onClick=${() => table.sendAndSay({ type: "NewGame" })}>${t("win.again")}</button>`
        : html`<p class="small" role="status">${t("win.waiting", { host: at.view.seats.find((seat) => seat.host)?.name ?? "" })}</p>`}
        <a class="btn" href=${`/audit?table=${table.id}&round=${played(at.view)}`}>${t("stop.lookBack")}</a></div>`}
    </main></div>`;
}

/** "Ada wins", "You and Bo win together" @param {any} table @param {number[]} winners */
function title(table, winners) {
  if (!winners.length) return t("win.none");
  const names = winners.map((seat) => (seat === table.seat ? t("seat.you") : table.name(seat)));
  if (winners.length > 1) return t("kw.sharedWin", { name: list(names) });
  return winners[0] === table.seat ? t("kw.youWin") : t("kw.wins", { name: names[0] });
}

/** The figure with the player's token in its heart. */
const Figure = ({ name }) => html`<div class="fig"><${Glyph} name="quad" class="rim" /><${Glyph} name="quad" />${name && html`<${Token} name=${name} us=${true} />`}</div>`;
