// The photo finish of one race: both commands side by side, the rule that decided, and the other way round; and all races.
import { has, margin, t } from "../i18n.js";
import { html } from "../lib.js";
import { nameOf } from "../kwartet/names.js";
import { cardName, Icon } from "../parts.js";
import { clock } from "./book.js";
import { exact, Photo } from "./photo.js";
import { code, outcome, wanted } from "./tell.js";

/** @param {{book: import("./book.js").Book, place: number|null, pick: (place: number) => void, show: () => void, report: () => void, first: any, last: any}} props `first` and `last`: what else stands there */
export function Finish({ book, place, pick, show, report, first, last }) {
  if (!book.races.length) return html`<section class="finish">${first}<h2>${t("audit.finish")}</h2><p class="none">${t("audit.finish.none")}</p>${last}</section>`;
  const one = book.races[place ?? 0];
  return html`<section class="finish" aria-labelledby="finish-title">${first}
    <${Race} book=${book} one=${one} report=${report} />
    ${one.race.otherwise && html`<${WhatIf} book=${book} one=${one} show=${show} />`}
    <section><h3>${t("audit.races")}</h3><ol class="races">${book.races.map((each, i) => html`<li key=${each.index}><button type="button" aria-current=${i === (place ?? 0) ? "true" : null} onClick=${() => pick(i)}>
      <b>${clock(each.race.loser.at - book.zero, 0)}</b><span>${headline(book, each)}</span><b>${margin(each.race.margin_us)}</b></button></li>`)}</ol></section>${last}
  </section>`;
}

/** Everything of one race but the other way round; a report shows the same. */
export function Race({ book, one, report }) {
  const { race } = one;
  const names = racers(book, one);
  return html`<header><h2 id="finish-title">${t("audit.finish")}</h2>${report && html`<button type="button" class="btn report" onClick=${report}><${Icon} name="file" />${t("audit.report")}</button>`}<small>${reason(book, one)}</small></header>
    <${Photo} race=${race} ...${names} />
    <p class="scaled"><small>${t("audit.finish.scale")}</small></p>
    <${Both} book=${book} one=${one} names=${names} />
    ${race.rule && html`<p class="rule"><b>${race.rule}</b> ${has(`audit.rule.${race.rule}`) ? t(`audit.rule.${race.rule}`) : t("audit.rule.other")}</p>`}`;
}

/** Whether somebody's second command lost to their own first, which changed the turn. @param {any} race */
const alone = (race) => race.winner && typeof race.loser.by === "number" && race.winner.by === race.loser.by;

/** @param {import("./book.js").Book} book @param {{index: number, race: any}} one */
function racers(book, { race, index }) {
  const loser = book.sender(race.loser.by, index);
  if (alone(race)) return { winner: t("audit.self.first", { name: loser }), loser: t("audit.self.second", { name: loser }) };
  return { winner: race.winner ? book.sender(race.winner.by, index) : t("audit.before"), loser };
}

/** "Had Ada been first". @param {import("./book.js").Book} book @param {{index: number, race: any}} one */
export const hadBeenFirst = (book, { race, index }) => t(alone(race) ? "audit.whatIf.self" : "audit.whatIf", { name: book.sender(race.loser.by, index) });

/** @param {import("./book.js").Book} book @param {{index: number, race: any}} one */
function reason(book, { race, index }) {
  const time = clock(race.loser.at - book.zero);
  const { command } = race.loser;
  switch (race.code) {
    case "card_gone": return t("audit.finish.card", { time, card: cardName(command.aimed_at), place: command.place + 1 });
    case "round_over": return t("audit.finish.stop", { time });
    case "not_your_turn": return `${t("audit.finish.turn", { time })} · ${command.card ? nameOf(book.scenes[index].public, command.card) : ""}`;
    default: return t("audit.finish.seat", { time });
  }
}

/** "Cas before Ada"; of calls which. @param {import("./book.js").Book} book @param {{index: number, race: any}} one */
export function headline(book, { race, index }) {
  const winner = race.winner ? book.sender(race.winner.by, index) : t("audit.before");
  const loser = book.sender(race.loser.by, index);
  if (alone(race)) return t("audit.race.self", { name: loser });
  const called = (/** @type {any} */ sent) => sent && { CallQuatro: t("call.quatro"), CallCounter: t("call.counter") }[/** @type {"CallQuatro"} */ (sent.command.type)];
  if (!called(race.winner) || !called(race.loser)) return t("audit.race", { winner, loser });
  return t("audit.race.call", { winner, first: called(race.winner), loser, second: called(race.loser) });
}

function Both({ book, one, names }) {
  const { race, index } = one;
  const { winner, loser } = race;
  const time = (/** @type {number|null|undefined} */ at) => (typeof at === "number" ? clock(at - book.zero, 6).replace(/(\.\d{3})/, "$1 ") : t("audit.none"));
  const row = (/** @type {string} */ label, /** @type {any} */ left, /** @type {any} */ right) => html`<dt key=${label}>${t(`audit.row.${label}`)}</dt>${winner && html`<dd>${left}</dd>`}<dd>${right}</dd>`;
  const times = (/** @type {string} */ label, /** @type {string} */ field) => row(label, time(winner?.[field]), time(loser[field]));
  return html`<dl class=${winner ? "pair2" : "pair2 alone"}><dt></dt>${winner && html`<dd class="hd">${names.winner}</dd>`}<dd class="hd">${names.loser}</dd>
    ${row("verdict", t("audit.accepted"), html`<b>${code(race.code)}</b>`)}
    ${loser.command.type === "SwapCard" ? row("down", winner?.command.card && cardName(winner.command.card), t("audit.nothing"))
      : row("what", winner && (winner.command.type === "Ask" ? wanted : briefly)(book, winner, index), wanted(book, loser, index))}
    ${times("sent", "sent")}${times("gateway", "received")}${times("arrived", "arrived")}${times("decided", "at")}${times("log", "committed")}
    ${row("record", winner && `#${winner.version}`, winner ? t("audit.row.lost", { n: loser.version, winner: winner.version }) : `#${loser.version}`)}</dl>`;
}

/** @param {import("./book.js").Book} book @param {any} sent @param {number} index */
const briefly = (book, sent, index) => outcome(book, sent, book.places.get(sent.version) ?? index);

/** Had the loser been first. `show` opens that table; a report draws it itself. */
export function WhatIf({ book, one, show }) {
  const { race, index } = one;
  const { loser, winner } = race.otherwise;
  return html`<div class="whatif"><p><b>${hadBeenFirst(book, one)}</b>: ${outcome(book, loser, index)} ${winner ? outcome(book, winner, index) : t("audit.whatIf.undue")}</p>
    <small>${alone(race) ? t("audit.whatIf.how.self") : t("audit.whatIf.how", racers(book, one))}</small>
    ${show && html`<button type="button" class="btn" onClick=${show}>${t("audit.whatIf.show")}</button>`}</div>`;
}

/** What a race was about, with its exact margin: the first line of a report. */
export const summary = (book, one) => `${headline(book, one)} · ${exact(one.race.margin_us)}`;
