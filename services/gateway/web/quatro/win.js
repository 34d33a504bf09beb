// The end of a game: the figure closed, the team in its heart, the final table.
import { list, number, t } from "../i18n.js";
import { cls, html } from "../lib.js";
import { Glyph, TEAMS, teamClass, teamName, Token } from "../parts.js";
import { HelpButton, MenuButton, Says } from "../shell/top.js";
import { look, members } from "./look.js";
import { LookBack } from "./stop.js";

/** @param {{table: any}} props */
export function Win({ table }) {
  const at = look(table);
  const { points, winners } = at.view;
  const free = at.view.seats.some((seat) => !seat.player);
  const ranked = points.map((_, team) => team).sort((a, b) => points[b] - points[a]);
  const title = winners.length ? t(winners.length > 1 ? "win.together" : "win.one", { team: list(winners.map(teamName)) }) : t("win.none");
  const names = (team) => list(members(at.view, team).map((seat) => (seat === table.seat ? t("seat.you") : table.name(seat))));
  return html`<div class="page winpage"><header class="top"><h1 class="show title">${t("game.quatro")}</h1>
      <small>${table.info?.code ?? ""}</small><span class="push"></span><${HelpButton} /><${MenuButton} />
      <${Says} table=${table} /></header>
    <main class=${cls("win", { off: !table.open })}>
      <div class="figs">${winners.map((team) => html`<${Figure} key=${team} team=${team} />`)}</div>
      <h2 class="h1">${title}</h2>
      ${winners.length > 0 && html`<p>${names(winners[0])}${winners.length === 1 ? `, ${points.toSorted((a, b) => b - a).map(number).join(t("win.to"))}.` : ""}</p>`}
      <ol class="fin">${ranked.map((team) => html`<li key=${team}
          class=${cls(teamClass(team), { us: team === at.team && !at.watching })}><${Token} team=${team}
          us=${team === at.team && !at.watching} />
        <span><b>${teamName(team)}</b><small>${names(team)}</small></span><span class="pts">${points[team]}</span></li>`)}</ol>
      <div class="acts">${table.host ? html`<button type="button" class="btn main big"
          aria-disabled=${!table.can("NewGame")}
          onClick=${() => table.can("NewGame") && table.sendAndSay({ type: "NewGame" })}>${t("win.again")}</button>` : html`<p
          class="small"
          role="status">${t("win.waiting", { host: at.view.seats.find((seat) => seat.host)?.name ?? "" })}</p>`}
        ${free && table.can("AddBot") && html`<button type="button" class="btn big"
            onClick=${() => table.sendAndSay({ type: "AddBot" })}>${t("lobby.bot")}</button>`}
        ${free && at.watching && html`<button type="button" class="btn main big"
            onClick=${() => table.sendAndSay({ type: "Sit" })}>${t("join.sit")}</button>`}
        <${LookBack} table=${table} /></div>
      ${free && html`<p class="small" role="status">${t("lobby.missing", { n: at.view.seats.filter((seat) => !seat.player).length })}</p>`}
    </main></div>`;
}

/** The figure with the team's token in its heart. */
const Figure = ({ team }) => html`<div class=${cls("fig us", teamClass(team))}><${Glyph} name="quad" class="rim" />
    <${Glyph} name="quad" /><span class="token us"><${Glyph} name=${TEAMS[team]} /></span></div>`;
