// Quatro's top line: brand and table, the clock, the scores, Reshuffle; a vote borrows its right half.
import { useSeconds, useUntil } from "../clock.js";
import { t } from "../i18n.js";
import { html } from "../lib.js";
import { Icon } from "../parts.js";
import { Brand, Clock, HelpButton, MenuButton, Run, Says, Score } from "../shell/top.js";
import { worded } from "../shell/rules.js";
import { look } from "./look.js";

/** @param {{table: any, label: string, points?: number[], frozen?: number}} props */
export function Line({ table, label, points, frozen }) {
  const { view, team, watching, played } = look(table);
  const line = [t("top.line", { code: table.info?.code ?? "", round: played }), ...worded("quatro", view.rules)].join(" · ");
  const deadline = view.phase === "over" ? null : view.deadline;
  return html`<header class="top" key="top">
    <div class="left"><h1 class="vh">${t("game.quatro")}, ${line}</h1><${Brand} title=${t("game.quatro")} line=${line} />
      <${Clock} class="narrow" deadline=${deadline} label=${label} frozen=${frozen} urgent=${view.phase === "playing"} /></div>
    <${Clock} class="wide" deadline=${deadline} label=${label} frozen=${frozen} urgent=${view.phase === "playing"} />
    <div class="right"><${Score} points=${points ?? view.points} mine=${watching ? null : team} />
      ${view.phase === "playing" && html`<span class="wide"><${Reshuffle} table=${table} /></span>`}
      <${HelpButton} /><${MenuButton} /></div>
    <${Run} deadline=${frozen === undefined ? deadline : null} />
    <${Says} table=${table}>${view.vote && view.phase === "playing" ? html`<${Vote} table=${table} />` : null}<//>
  </header>`;
}

/** Asks for a reshuffle; says why it can't be pressed. @param {{table: any}} props */
export function Reshuffle({ table }) {
  const { view, watching } = look(table);
  const waits = useUntil(view.vote_ready_at);
  const seconds = useSeconds(waits ? view.vote_ready_at : null);
  if (view.reshuffled) return html`<span class="rs small">${t("reshuffle.done")}</span>`;
  if (watching || (!table.can("AskReshuffle") && !waits)) return null;
  const press = () => { if (!waits) table.sendAndSay({ type: "AskReshuffle" }); };
  return html`<button type="button" class="btn rs" aria-disabled=${waits} onClick=${press}>
    <${Icon} name="mix" /><span>${t("reshuffle.ask")}</span>${waits && html`<small>${seconds}</small>`}</button>`;
}

/** "Dee: reshuffle all? 14 s · yes: Dee · waits: Cas" */
function Vote({ table }) {
  const { view } = look(table);
  const { asker, agreed, deadline } = view.vote;
  const seconds = useSeconds(deadline);
  const yes = [asker, ...agreed];
  const waits = view.seats.flatMap((seat, i) => (seat.player && !seat.bot && seat.connected && !yes.includes(i) ? [i] : []));
  const names = (seats) => seats.map((seat) => (seat === table.seat ? t("seat.you") : table.name(seat))).join(", ");
  const detail = [t("seconds", { n: seconds }), t("vote.yes", { names: names(yes) }), waits.length ? t("vote.waits", { names: names(waits) }) : ""].filter(Boolean).join(" · ");
  const answer = (agree) => () => table.sendAndSay({ type: "AnswerReshuffle", agree });
  return html`<div class="says vote" role="group" aria-label=${t("vote.label")}>
    <span><span class="question">
        <b>${asker === table.seat ? t("seat.you") : table.name(asker)}</b>${t("vote.asks")}</span>
        <small>${detail}</small></span>
    ${table.can("AnswerReshuffle") && html`<button type="button" class="btn push" onClick=${answer(false)}>${t("no")}</button>
      <button type="button" class="btn main" onClick=${answer(true)}>${t("yes")}</button>`}</div>`;
}
