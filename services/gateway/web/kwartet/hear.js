// What a change means: it is spoken, sounds, flies. Read from two views and the news between them; when they disagree the view wins.
import { left, minutes } from "../clock.js";
import { list, number, t } from "../i18n.js";
import { html } from "../lib.js";
import { Back } from "../parts.js";
import { say, shout } from "../say.js";
import { rectOf } from "../shell/flights.js";
import { play } from "../sound.js";
import { redraw } from "../state.js";
import { commit } from "../shell/chance.js";
import { Done, Full } from "./cards.js";
import { ordered } from "./families.js";
import { close, give, later } from "./gesture.js";
import { familyOf, idOf, look, setsOf } from "./look.js";
import { familyName, inWords, nameOf } from "./names.js";
import { agree, forget, note, stateOf } from "./state.js";
import { told } from "./talk.js";

const LINGER_MS = 1700;

/** @param {any} table @param {{public: any, own: any}|null} before @param {any[]} news @returns {string|void} */
export function changed(table, before, news) {
  const { phase } = table.public;
  if (before && phase === "preparing" && before.public.phase !== "preparing") forget(table);
  commit(table);
  const at = look(table);
  const heard = before ? news.flatMap((one) => headline(table, at, one)) : [];
  if (phase === "playing" || before) agree(table);
  if (before && before.public.phase !== phase) turned(table, at, before);
  settle(table, at);
  if (heard.length) speak(table, heard);
  if (phase === "playing") watchClock(table);
  return phase === "playing" && at.mine && document.hidden ? `• ${t("kw.yourTurn")}` : undefined;
}

/** A choice that can't be made any more is none. @param {any} table @param {any} at */
function settle(table, at) {
  const state = stateOf(table);
  const hole = state.hole;
  if (!at.mine && !state.sent) Object.assign(state, { hole: null, to: null });
  if (hole && !at.can.some(({ cards }) => cards.some((one) => idOf(one) === idOf(hole))) && !state.sent) state.hole = null;
}

/** @param {any} table @param {any} at @param {any} before */
function turned(table, at, before) {
  const state = stateOf(table);
  switch (at.view.phase) {
    case "preparing":
      if (!at.watching) say(t("prepare.opens", { time: minutes(Math.ceil(left(at.view.deadline ?? 0) / 1000)) }));
      return;
    case "playing":
      if (!at.watching) say(handWords(at));
      return;
    case "scoring":
    case "over":
      if (before.public.phase === "playing" && !document.hidden) linger(state);
      if (at.view.phase === "over") ended(at);
      return;
    case "stopped": return shout(t("stopped.title"));
  }
}

/** The last gesture is seen before the end is. @param {ReturnType<typeof stateOf>} state */
function linger(state) {
  state.lingers = true;
  setTimeout(() => { state.lingers = false; redraw(); }, LINGER_MS);
}

/** @param {any} at */
function ended(at) {
  const names = at.view.winners.map((seat) => (seat === at.me && !at.watching ? t("seat.you") : at.view.seats[seat].name));
  play("win");
  shout(names.length ? t(names.length > 1 ? "kw.sharedWin" : names[0] === t("seat.you") ? "kw.youWin" : "kw.wins", { name: list(names) }) : t("win.none"));
}

/** One headline: into the record, into the air; gives what is said of it. @param {any} table @param {any} at @param {any} news @returns {string[]} */
function headline(table, at, news) {
  switch (news.type) {
    case "asked": return [asked(table, at, news)];
    case "family": return [family(table, at, news)];
    case "turn": return [turn(table, news.seat)];
    case "timeout": case "passed": case "drawn": case "out": {
      const kept = note(table, news);
      if (news.type !== "out") stateOf(table).fresh = kept.id;
      return [`${told(table, at.view, kept)}.`];
    }
    default: return [];
  }
}

/** @param {any} table @param {number} seat @returns {string} */
function turn(table, seat) {
  if (seat !== table.seat) return t("kw.say.turn", { name: table.name(seat) });
  play("myTurn");
  return t("kw.say.yourTurn");
}

/** @param {any} table @param {any} at @param {any} news @returns {string} */
function asked(table, at, news) {
  const { by, to, card, given } = news;
  stateOf(table).fresh = note(table, { type: "asked", by, to, card, given }).id;
  if (to === table.seat) play("asked");
  if (given) gift(table, at, news);
  const words = { by: table.name(by), to: table.name(to), card: inWords(at.view, card) };
  if (by === table.seat) return t(given ? "kw.say.youGot" : "kw.say.youMissed", words);
  if (to === table.seat) return t(given ? "kw.say.youGave" : "kw.say.youHadNot", words);
  return t(given ? "kw.say.given" : "kw.say.missed", words);
}

/** To me or from me it is the full card, between others its back. @param {any} table @param {any} at @param {any} news */
function gift(table, at, { by, to, card }) {
  const place = (seat) => (seat === table.seat ? `.kw [data-card="${CSS.escape(idOf(card))}"]` : `.player[data-seat="${seat}"] .token`);
  const from = rectOf(place(to));
  const open = by === table.seat || to === table.seat;
  const shown = open ? html`<${Full} view=${at.view} card=${card} />` : html`<${Back} />`;
  later(() => give({ shown, from, to: rectOf(place(by)) ?? rectOf(".mysets") ?? rectOf(".my") }, place(by)));
}

/** @param {any} table @param {any} at @param {any} news @returns {string} */
function family(table, at, { seat, family: name }) {
  const afterGift = stateOf(table).log.at(-1)?.type === "asked";
  note(table, { type: "family", seat, family: name });
  play("family");
  later(() => close(html`<${Done} view=${at.view} family=${name} />`, `[data-seat="${seat}"] [data-family="${CSS.escape(name)}"]`, afterGift));
  const n = setsOf(at.view, seat).length;
  const members = familyOf(at.view, name).members.map((one) => nameOf(at.view, { family: name, member: one.name })).join(", ");
  return t(seat === table.seat ? "kw.say.youLaid" : "kw.say.laid", { name: table.name(seat), family: familyName(at.view, name), members, n });
}

/** What came in one change is one saying. @param {any} table @param {string[]} heard */
function speak(table, heard) {
  const text = heard.join(" ");
  stateOf(table).lastSaid = text;
  say(text);
}

/** "Your hand. Forest: fox, owl; missing hedgehog, deer." @param {any} at */
export function handWords(at) {
  const { order } = ordered(at, { order: [] });
  const families = order.map((name) => {
    const split = (held) => familyOf(at.view, name).members.filter((one) => at.hand.some((card) => card.family === name && card.member === one.name) === held)
      .map((one) => nameOf(at.view, { family: name, member: one.name })).join(", ");
    return t("kw.say.family", { family: familyName(at.view, name), held: split(true), missing: split(false) });
  });
  return `${t("kw.say.hand", { n: number(at.hand.length) })} ${families.join(" ")}`;
}

/** The last ten seconds of my turn tick; once each. @param {any} table */
function watchClock(table) {
  const state = stateOf(table);
  const { deadline } = table.public;
  if (state.clockFor === deadline || !deadline) return;
  state.clockFor = deadline;
  const at = (ms, /** @type {() => void} */ what) => {
    const wait = left(deadline) - ms;
    if (wait > 0) setTimeout(() => { if (table.public?.deadline === deadline && table.public.turn === table.seat && !table.ended) what(); }, wait);
  };
  at(10_000, () => say(t("say.secondsLeft", { n: 10 })));
  for (let second = 1; second <= 10; second += 1) at(second * 1000, () => play("tick"));
}
