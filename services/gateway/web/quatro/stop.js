// The stop: who called, hands turned up, fours closed, the verdict, signs, points. Any tap or key shows the end at once.
import { left, useSeconds } from "../clock.js";
import { t } from "../i18n.js";
import { bind } from "../keys.js";
import { cls, html, useEffect, useRef, useState } from "../lib.js";
import { Back, Card, Four, teamClass, teamName, Token } from "../parts.js";
import { Clock } from "../shell/top.js";
import { flyAway, rectOf, still } from "../shell/flights.js";
import { say } from "../say.js";
import { play } from "../sound.js";
import { Line } from "./line.js";
import { words } from "./late.js";
import { look, members, played } from "./look.js";
import { sayReady } from "./prepare.js";
import { stateOf } from "./state.js";

/** Milliseconds after the stop at which each step shows (the design's table). */
const STEPS = { hands: 500, fours: 1300, verdict: 1900, signs: 2200, points: 2600, landed: 3200 };
const APART_MS = 90;

/** @param {{table: any, done?: () => void}} props */
export function Stop({ table, done }) {
  const at = look(table);
  const state = stateOf(table);
  const { last_round: last } = at.view;
  const [seen] = useState(state.stopSeen);
  const step = useSteps(seen, () => { state.stopSeen = true; });
  useEffect(() => bind("quatro", () => keys(table, done)), [table, done]);
  const awarded = last.awarded ?? at.view.points.map(() => 0);
  const landed = step >= STEPS.landed && last.awarded;
  const points = at.view.phase === "scoring" || landed ? at.view.points : at.view.points.map((n, i) => n - awarded[i]);
  usePoints(step >= STEPS.points && Boolean(last.awarded), awarded, state);
  const order = at.watching ? Array.from({ length: at.teams }, (_, i) => i) : Array.from({ length: at.teams }, (_, i) => (at.team + i) % at.teams);
  return html`<div class="page"><${Line} table=${table}
      label=${at.view.phase === "break" ? "top.next" : "top.stopped"} points=${points}
      frozen=${at.view.phase === "break" ? undefined : state.frozen ?? 0} />
    <main class=${cls("stop", `t${at.teams}`, { seen, off: !table.open })}>
      <${Shout} table=${table} at=${at} last=${last} step=${step} />
      ${order.map((team) => html`<${Team} key=${team} table=${table} at=${at} last=${last} team=${team} step=${step}
          points=${points[team]} plus=${awarded[team]} />`)}
      <${Next} table=${table} at=${at} step=${step} done=${done} />
    </main></div>`;
}

/** D goes on, whoever may; L says the verdict again. @param {any} table @param {(() => void)|undefined} done @returns {import("../types.js").Key[]} */
function keys(table, done) {
  return [
    { key: "D", label: t("key.next"), run: () => goOn(table, done) },
    { key: "L", label: t("key.sayLast"), run: () => say(stateOf(table).lastSaid || t("say.nothing")) },
  ];
}

/** The next round, or who won. @param {any} table @param {(() => void)|undefined} done */
function goOn(table, done) {
  if (table.phase === "over") return done?.();
  if (table.can("EndBreak")) return table.sendAndSay({ type: "EndBreak" });
  if (table.can("Ready")) sayReady(table);
}

/** The time since the stop, in its steps; skipped by a tap or a key. @param {boolean} seen @param {() => void} end */
function useSteps(seen, end) {
  const [step, set] = useState(seen ? STEPS.landed : 0);
  useEffect(() => {
    if (seen) return;
    const all = () => { set(STEPS.landed); end(); };
    const timers = Object.values(STEPS).map((ms) => setTimeout(() => { set((now) => Math.max(now, ms)); if (ms === STEPS.landed) end(); }, ms));
    const begin = setTimeout(() => { addEventListener("pointerdown", all); addEventListener("keydown", all); }, 300);
    return () => {
      for (const timer of [...timers, begin]) clearTimeout(timer);
      removeEventListener("pointerdown", all);
      removeEventListener("keydown", all);
    };
  }, []);
  return step;
}

/** A point flies from the four, or the shout, to each team that scores. @param {boolean} go @param {number[]} awarded @param {any} state */
function usePoints(go, awarded, state) {
  useEffect(() => {
    if (!go || state.flown) return;
    state.flown = true;
    awarded.forEach((n, team) => {
      const to = rectOf(`.team[data-team="${team}"] .pts`);
      const plus = document.querySelector(`.team[data-team="${team}"] .plus`);
      const from = document.querySelector(".four, .shout .show");
      if (!n || !to || !plus) return;
      play("tick");
      if (from) flyAway(plus, rectOf(`.score [data-score="${team}"]`) ?? to, 600);
    });
  }, [go]);
}

function Shout({ table, at, last, step }) {
  const state = stateOf(table);
  const { how, by } = last;
  const name = by === at.me && !at.watching ? t("seat.you") : typeof by === "number" ? table.name(by) : "";
  const late = step >= STEPS.verdict && how !== "time" ? state.late : [];
  const title = how === "time" ? t("stop.draw") : how === "counter" ? t("call.counter") : t("call.quatro");
  return html`<section class=${cls("shout", { counter: how === "counter", draw: how === "time" })}><h2 class="show">${title}</h2>
    <p>${how !== "time" && step < STEPS.verdict ? t(how === "counter" ? "stop.counterOn" : "stop.called", { name, team: teamName(last.team ?? 0) }) : html`<${Verdict} table=${table} at=${at} last=${last}
        name=${name} />`}
      ${late.map((one) => html`<br key=${`${one.seat}${one.call}`} />${words(table, one)}`)}</p></section>`;
}

/** The sentence that says what came of it. */
function Verdict({ table, at, last, name }) {
  if (last.how === "time") return t("stop.nobody");
  const mine = last.by === table.seat;
  if (last.how === "counter") {
    const holder = last.fours.find((one) => at.view.seats[one.seat].team === last.team);
    const values = { name, team: teamName(last.team), rank: holder ? t(`ranks.${holder.rank}`) : "", whose: holder ? table.name(holder.seat) : "" };
    return t(last.right ? (holder?.seat === table.seat ? "stop.counter.you" : "stop.counter.right") : "stop.counter.wrong", values);
  }
  const partner = (last.by + at.n / 2) % at.n;
  const four = last.fours.find((one) => one.seat === partner);
  const key = last.right ? (partner === table.seat ? "stop.quatro.you" : "stop.quatro.right") : mine ? "stop.quatro.wrongYou" : partner === table.seat ? "stop.quatro.wrongMe" : "stop.quatro.wrong";
  return t(key, { name, whose: table.name(partner), rank: four ? t(`ranks.${four.rank}`) : "" });
}

function Team({ table, at, last, team, step, points, plus }) {
  const us = team === at.team && !at.watching;
  const sign = step >= STEPS.signs ? last.signs[team] : null;
  return html`<section class=${cls("team", teamClass(team), { us })}
      aria-label=${t("seat.team", { team: teamName(team) })} data-team=${team}>
    <header><${Token} team=${team} us=${us} /><h3 class="h2">${teamName(team)}</h3>
      <span class="pts">${points} ${plus > 0 && step >= STEPS.points ? html`<span class="plus">+${plus}</span>` : null}</span>
      ${sign && html`<small class="push">${t("stop.sign")}</small><span class="signal emoji" role="img"
          aria-label=${t(`sign.${sign}`)}>${sign}</span>`}</header>
    <div class="hands">${members(at.view, team).map((seat) => html`<${Turned} key=${seat} table=${table} at=${at} last=${last} seat=${seat} step=${step} />`)}</div>
  </section>`;
}

/** One hand, turned up in its order: the one that was looked at first, then clockwise. */
function Turned({ table, at, last, seat, step }) {
  const four = last.fours.find((one) => one.seat === seat);
  const hand = last.hands[seat];
  const looked = last.how === "call" ? (last.by + at.n / 2) % at.n : last.how === "counter" ? members(at.view, last.team)[0] : at.me;
  const accused = last.how === "call" ? seat === looked : last.how === "counter" && at.view.seats[seat].team === last.team;
  const missing = !last.right && accused && step >= STEPS.verdict;
  const closed = four && step >= STEPS.fours;
  const turn = { "--late": `${((seat - looked + at.n) % at.n) * APART_MS}ms` };
  const you = seat === at.me && !at.watching;
  const note = closed ? t("stop.four", { rank: t(`ranks.${four.rank}`) }) : last.by === seat ? t("stop.caller") : "";
  return html`<figure class=${cls({ missing })}><figcaption><b>${you ? t("seat.you") : table.name(seat)}</b> ${note}</figcaption>
    ${closed ? html`<${Four} cards=${hand} />` : html`<div class=${cls("open", { up: step >= STEPS.hands })} style=${turn}>
      ${step >= STEPS.hands || still() ? hand.map((card) => html`<${Card} key=${card}
          card=${card} />`) : hand.map((card) => html`<${Back} key=${card} />`)}</div>`}
    ${at.view.phase === "break" && html`<${SeatAtBreak} table=${table} seat=${seat} you=${you} />`}
    ${missing && html`<p class="nofour">${t("stop.noFour")}</p>`}</figure>`;
}

/** At the break seats are open: a free one is taken or given to a bot, an absent player's can be freed. */
function SeatAtBreak({ table, seat, you }) {
  const { player, bot, connected, name } = table.public.seats[seat];
  if (player) {
    const stuck = !you && !bot && !connected && table.can("FreeSeat");
    return stuck && html`<button type="button" class="btn"
        onClick=${() => table.sendAndSay({ type: "FreeSeat", seat })}>${t("lobby.personAway", { name })}</button>`;
  }
  return html`<p class="acts">${table.seat === null && html`<button type="button" class="btn"
      onClick=${() => table.sendAndSay({ type: "Sit", seat })}>${t("join.sit")}</button>`}
    ${table.can("AddBot") && html`<button type="button" class="btn"
        onClick=${() => table.sendAndSay({ type: "AddBot", seat })}>${t("lobby.bot")}</button>`}</p>`;
}

/** What comes next: scoring, the countdown, the host's Next round. */
function Next({ table, at, step, done }) {
  const { phase, deadline } = at.view;
  const slow = useSlow(phase === "scoring");
  const seconds = useSeconds(phase === "break" ? deadline : null);
  const state = stateOf(table);
  if (phase === "scoring") return html`<div class="next"
      role="status">${slow && step >= STEPS.points && html`<p>${t("stop.checking")}</p>`}</div>`;
  if (step < STEPS.landed) return html`<div class="next"></div>`;
  if (phase === "over") return html`<div class="next"><button type="button" class="btn main"
      onClick=${done}>${t("win.see")}</button></div>`;
  const ready = !at.watching && at.view.seats[at.me].ready;
  const next = table.host
    ? html`<button type="button" class="btn main" onClick=${() => table.sendAndSay({ type: "EndBreak" })}>${t("stop.next")}</button>`
    : table.can("Ready") && !ready && html`<button type="button" class="btn main"
        onClick=${() => sayReady(table)}>${t("prepare.ready")}</button>`;
  return html`<div class=${cls("next", { last: seconds !== null && seconds <= 5 })}><${Clock} deadline=${deadline}
      label="top.next" />${next}
    ${ready && html`<p role="status">${t("stop.ready")}</p>`}<${LookBack} table=${table} state=${state} /></div>`;
}

/** The way to the dispute room: the finished round, from above. */
export const LookBack = ({ table }) => html`<a
    class="btn" href=${`/audit?table=${table.id}&round=${played(table.public)}`}>${t("stop.lookBack")}</a>`;

/** @param {boolean} is @returns {boolean} true once it has lasted a second */
function useSlow(is) {
  const [slow, set] = useState(false);
  const timer = useRef(/** @type {ReturnType<typeof setTimeout>|undefined} */ (undefined));
  useEffect(() => {
    if (is) timer.current = setTimeout(() => set(true), 1000);
    return () => { clearTimeout(timer.current); set(false); };
  }, [is]);
  return slow;
}

/** What stood on the clock when the round stopped. @param {any} before */
export const frozenClock = (before) => (before?.public.deadline ? Math.ceil(left(before.public.deadline) / 1000) : 0);
