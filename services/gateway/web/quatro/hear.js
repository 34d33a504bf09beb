// What a change means: it is spoken, sounds, flies. Read from two views and the news between them; when they disagree the view wins.
import { left, minutes } from "../clock.js";
import { list, number, t } from "../i18n.js";
import { cardName, rank, teamName } from "../parts.js";
import { mention, say, shout } from "../say.js";
import { settings } from "../settings.js";
import { flyTo, rectOf, still } from "../shell/flights.js";
import { play } from "../sound.js";
import { notice, redraw } from "../state.js";
import { commit } from "../shell/chance.js";
import { lateCalls } from "./late.js";
import { look } from "./look.js";
import { handWords } from "./play.js";
import { stateOf } from "./state.js";

const NOTE_MS = 3000;
const INK_MS = 600;

/** @param {any} table @param {{public: any, own: any}|null} before @param {any[]} news @returns {string|void} */
export function changed(table, before, news) {
  const at = look(table);
  commit(table);
  if (at.view.phase === "playing") watchClock(table);
  if (before && before.public.phase !== at.view.phase) turned(table, at);
  if (before) for (const one of news) headline(table, at, before, one);
  settle(table, at);
  if (before) untilReady(table, at, before);
  if (before && !at.watching) alone(table, at, before);
  return document.hidden && before ? hiddenTitle(at.view) : undefined;
}

/** A choice whose card is gone from my hand is no choice any more. @param {any} table @param {any} at */
function settle(table, at) {
  const state = stateOf(table);
  if (state.card !== null && !at.hand.includes(state.card)) state.card = null;
  if (state.held && at.view.centre[state.held.place] !== state.held.aimed_at) state.held = null;
}

/** The end of my wait is said. @param {any} table @param {any} at @param {any} before */
function untilReady(table, at, before) {
  const mine = at.watching ? null : at.view.seats[at.me].swap_ready_at;
  if (mine && mine !== before.public.seats[at.me]?.swap_ready_at) setTimeout(() => {
    if (table.public.phase !== "playing" || table.ended) return;
    play("tick");
    say(t("say.canSwap"));
    redraw();
  }, left(mine) + 10);
}

/** Who plays with me went away, or everyone did: said once, where it is seen. @param {any} table @param {any} at @param {any} before */
function alone(table, at, before) {
  const here = (view) => view.seats.filter((seat, i) => i !== at.me && seat.player && (seat.bot || seat.connected)).length;
  if (here(at.view) === 0 && here(before.public) > 0) notice(t("seat.onlyYou"), NOTE_MS);
  const [was, is] = [before.public.seats[at.partner], at.view.seats[at.partner]];
  if (at.view.phase === "playing" && was?.connected && !is.connected && !is.bot) noteAt(table, at.partner, t("note.partnerAway"));
}

/** What the tab says while nobody looks at it. @param {any} view */
function hiddenTitle(view) {
  if (view.phase === "playing") return `• ${t("hidden.open")}`;
  if (view.phase === "preparing") return `• ${t("prepare.pick")}`;
  const how = view.last_round?.how;
  return how === "call" ? `• ${t("call.quatro")}` : how === "counter" ? `• ${t("call.counter")}` : undefined;
}

/** @param {any} table @param {any} at */
function turned(table, at) {
  switch (at.view.phase) {
    case "preparing":
      if (!at.watching) remember(table, `${t("prepare.pick")}. ${opensWords(at.view)}`);
      return;
    case "playing": {
      const { centre } = at.view;
      remember(table, t("say.open", { hand: at.watching ? "" : handWords(at.hand), centre: centre.map(cardName).join(", ") }));
      for (const { seat, times } of at.view.replaced) noteAt(table, seat, times > 1 ? t("note.dealtTimes", { times }) : t("note.dealt"), t("say.dealtAgain", { name: table.name(seat) }));
      return;
    }
    case "break":
      lateCalls(table, at.played);
      return say(t("say.nextRound", { n: Math.round(left(at.view.deadline ?? 0) / 1000) }));
    case "over": {
      lateCalls(table, at.played);
      const teams = at.view.winners.map(teamName);
      play("win");
      return shout(t(teams.length > 1 ? "win.together" : "win.one", { team: list(teams) }) + " " + at.view.points.map(number).join(", ") + ".");
    }
    case "stopped": return shout(t("stopped.title"));
  }
}

/** "Opens when all are ready, or in 0:30." @param {any} view */
const opensWords = (view) => t("prepare.opens", { time: minutes(Math.ceil(left(view.deadline ?? 0) / 1000)) });

/** @param {any} table @param {any} at @param {any} before @param {any} news */
function headline(table, at, before, news) {
  const name = news.seat === undefined || news.seat === null ? "" : news.seat === at.me && !at.watching ? t("seat.you") : table.name(news.seat);
  switch (news.type) {
    case "swap": return swapped(table, at, before, news, name);
    case "channel_taken": noteAt(table, news.seat, t("note.took")); if (news.seat !== table.seat) mention(t("say.took", { name })); return;
    case "channel_given": return;
    case "emoji": if (news.seat !== table.seat) mention(t("say.shows", { name, sign: t(`sign.${news.emoji}`) })); return;
    case "sign_set": play("signSet"); if (news.seat !== table.seat) say(t("say.picked", { name, sign: t(`sign.${news.sign}`) })); return;
    case "sign_drawn": return say(t("say.drawn", { sign: t(`sign.${news.sign}`) }));
    case "reshuffled": return reshuffled(table, at);
    case "vote_asked": return voteAsked(table, name, news);
    case "vote_failed": return voteFailed(table, before, news, name);
    case "quatro": case "counter": case "draw": return stopped(table, at, news, name);
  }
}

/** @param {any} table @param {any} at @param {any} before @param {any} news @param {string} name */
function swapped(table, at, before, news, name) {
  const mine = news.seat === table.seat;
  const place = `[data-place="${news.place}"] .card`;
  const fromPlace = rectOf(place);
  if (mine) {
    const slot = at.hand.indexOf(news.taken);
    const fromHand = rectOf(`[data-slot="${before.own?.hand.indexOf(news.given)}"] .card`);
    later(() => {
      flyTo(place, fromHand, { bend: 30 });
      flyTo(`[data-slot="${slot}"] .card`, fromPlace, { bend: -30 });
    });
    play("knock");
    if (still()) ink(table, [news.place]);
    const same = at.hand.filter((card) => rank(card) === rank(news.taken)).length;
    remember(table, t("say.swapped", { taken: cardName(news.taken), given: cardName(news.given) }) + (same > 1 ? ` ${t("say.nowHold", { n: number(same), rank: t(`ranks.${rank(news.taken)}`) })}` : ""));
    return;
  }
  const from = rectOf(`[data-seat="${news.seat}"] .token`);
  later(() => flyTo(place, from));
  ink(table, [news.place]);
  const words = { name, given: cardName(news.given), taken: cardName(news.taken), place: news.place + 1 };
  stateOf(table).lastSaid = t("say.othersSwap", words);
  if (settings.sayEverySwap) say(t("say.othersSwap", words));
  else mention(t("say.centre", { cards: at.view.centre.map((card) => t(`rank.${rank(card)}`)).join(", ") }));
}

/** After the next drawing. @param {() => void} what */
const later = (what) => requestAnimationFrame(() => requestAnimationFrame(what));

/** @param {any} table @param {number[]} places */
function ink(table, places) {
  const state = stateOf(table);
  for (const place of places) state.inked.add(place);
  setTimeout(() => {
    for (const place of places) state.inked.delete(place);
    redraw();
  }, INK_MS);
}

/** @param {any} table @param {any} at */
function reshuffled(table, at) {
  const middle = rectOf(".centre .figure");
  later(() => {
    for (const place of at.view.centre.keys()) flyTo(`[data-place="${place}"] .card`, middle);
    for (const slot of at.hand.keys()) flyTo(`[data-slot="${slot}"] .card`, middle);
    document.querySelector(".centre .figure")?.animate([{ rotate: "0deg" }, { rotate: "90deg" }], { duration: 320 });
  });
  ink(table, [0, 1, 2, 3]);
  notice(t("reshuffle.happened"), 3000);
  remember(table, t("say.reshuffled", { hand: at.watching ? "" : handWords(at.hand) }));
}

/** @param {any} table @param {string} name @param {any} news */
function voteAsked(table, name, news) {
  play("vote");
  if (news.seat !== table.seat) say(t("say.voteAsked", { name, n: Math.round(left(news.deadline) / 1000) }));
}

/** @param {any} table @param {any} before @param {any} news @param {string} name */
function voteFailed(table, before, news, name) {
  if (news.seat !== null && news.seat !== undefined) {
    notice(t("vote.saidNo", { name }), 3000);
    return remember(table, t("say.voteNo", { name }));
  }
  const { vote, seats } = before.public;
  const silent = seats.flatMap((seat, i) => (seat.player && !seat.bot && seat.connected && i !== vote?.asker && !vote?.agreed.includes(i) ? [seat.name] : []));
  notice(t("vote.noAnswer", { name: list(silent) }), 3000);
  remember(table, t("say.voteSilent", { name: list(silent) }));
}

/** @param {any} table @param {any} at @param {any} news @param {string} name */
function stopped(table, at, news, name) {
  const words = news.type === "draw" ? t("say.draw") : stopWords(table, at.view, { ...news, name });
  stateOf(table).lastSaid = words;
  if (news.type !== "draw") play(news.type);
  shout(words);
}

/** "Bo calls Quatro!, right: you held four kings." @param {any} table @param {any} view @param {any} news */
export function stopWords(table, view, news) {
  if (news.type === "counter") return t(news.right ? "say.counter.right" : "say.counter.wrong", { name: news.name, team: teamName(news.team) });
  const partner = (news.seat + view.seats.length / 2) % view.seats.length;
  const four = view.last_round?.fours.find((one) => one.seat === partner);
  const whose = partner === table.seat ? t("seat.you") : table.name(partner);
  return four ? t(partner === table.seat ? "say.quatro.youHeld" : "say.quatro.right", { name: news.name, whose, rank: t(`ranks.${four.rank}`) }) : t("say.quatro.wrong", { name: news.name, whose });
}

/** @param {any} table @param {number} seat @param {string} text @param {string} [spoken] */
function noteAt(table, seat, text, spoken) {
  const { notes } = stateOf(table);
  notes[seat] = text;
  if (spoken && seat !== table.seat) say(spoken);
  setTimeout(() => { if (notes[seat] === text) delete notes[seat]; redraw(); }, NOTE_MS);
}

/** @param {any} table @param {string} text */
function remember(table, text) {
  stateOf(table).lastSaid = text;
  say(text);
}

/** "Thirty seconds left." Once each, by the round's own clock. @param {any} table */
function watchClock(table) {
  const state = stateOf(table);
  const { deadline, round } = table.public;
  if (state.clockFor === deadline || !deadline) return;
  state.clockFor = deadline;
  const at = (ms, /** @type {() => void} */ what) => {
    const wait = left(deadline) - ms;
    if (wait > 0) setTimeout(() => { if (table.public?.round === round && table.public.phase === "playing" && !table.ended) what(); }, wait);
  };
  at(30_000, () => say(t("say.secondsLeft", { n: 30 })));
  at(10_000, () => say(t("say.secondsLeft", { n: 10 })));
  for (let second = 1; second <= 10; second += 1) at(second * 1000, () => play("tick"));
}
