// The search over finished rounds: players find their own, auditors all; when nothing is found, what it is that nobody has.
import { ask } from "../api.js";
import { coded, has, t } from "../i18n.js";
import { html, useEffect, useRef, useState } from "../lib.js";
import { me } from "../settings.js";
import { filledIn, fromAddress, isId, KINDS, NOTHING, read, toAddress } from "./asked.js";
import { Hits } from "./hits.js";
import { code } from "./tell.js";

/** @typedef {{asked: import("./asked.js").Asked, hits: any[], called: {player: string, name: string}[], next: string|null, fault: string, unknown: string[]}} Result */

const REFUSALS = ["card_gone", "too_soon", "round_over", "round_not_open", "not_your_turn", "seat_taken", "table_full", "not_in_hand", "own_four", "family_not_held", "family_exposed", "own_card", "no_cards", "already_in_control", "already_answered", "wrong_round"];
const PRESETS = { near: { kind: "swap", within_ms: "50" }, calls: { kind: "call" }, vain: { kind: "lost_call" }, all: {} };

/** @param {import("./asked.js").Asked} asked @param {Result|null} before whose next page is wanted @returns {Promise<Result>} */
async function look(asked, before = null) {
  const result = { asked, hits: [], called: [], next: null, fault: "", unknown: [] };
  if (!me.token) return { ...result, fault: "token" };
  const { query, fault } = read(asked);
  if (!query) return { ...result, fault };
  if (before?.next) query.set("after", before.next);
  const answer = await ask("GET", `/audit/search?${query}`);
  if (!answer.ok) return { ...result, fault: answer.status === 422 ? "unreadable" : answer.code };
  const { hits, next, called } = answer.value;
  if (before) return { ...before, hits: [...before.hits, ...hits], next };
  return { ...result, hits, next, called, unknown: hits.length ? [] : await unknown(query) };
}

/** Which of the table and the player has nothing at all to be found. @param {URLSearchParams} query */
async function unknown(query) {
  const alone = ["table", "code", "player"].filter((name) => query.has(name));
  const found = await Promise.all(alone.map((name) => ask("GET", `/audit/search?${name}=${encodeURIComponent(query.get(name) ?? "")}&limit=1`)));
  return alone.filter((_, i) => { const answer = found[i]; return answer.ok && !answer.value.hits.length; });
}

export function Search() {
  const form = useRef(/** @type {HTMLFormElement|null} */ (null));
  const [asked, setAsked] = useState(() => fromAddress(new URLSearchParams(location.search)));
  const [result, set] = useState(/** @type {Result|null} */ (null));
  const newest = useRef(0);
  const show = async (/** @type {Promise<Result>} */ looking) => { // an answer that comes late is of no interest
    const mine = ++newest.current;
    const found = await looking;
    if (mine === newest.current) set(found);
  };
  const go = (/** @type {import("./asked.js").Asked} */ wanted) => {
    setAsked(wanted);
    if (!new URLSearchParams(location.search).has("round")) history.replaceState(null, "", toAddress(wanted));
    show(look(wanted));
  };
  useEffect(() => { go(new URLSearchParams(location.search).has("round") ? NOTHING : asked); }, []);
  const preset = (/** @type {keyof typeof PRESETS} */ name) => html`<button key=${name} type="button" class="btn" onClick=${() => go({ ...NOTHING, ...PRESETS[name] })}>${t(`audit.preset.${name}`)}</button>`;
  return html`<div class="presets" role="group" aria-label=${t("audit.presets")}>${Object.keys(PRESETS).map((name) => preset(/** @type {keyof typeof PRESETS} */ (name)))}</div>
    <form class="panel searching" ref=${form} onInput=${() => { if (form.current) setAsked(filledIn(form.current)); }} onSubmit=${(/** @type {SubmitEvent} */ event) => { event.preventDefault(); if (form.current) go(filledIn(form.current)); }}><${Fields} asked=${asked} fault=${result?.fault ?? ""} />
      <button type="submit" class="btn main">${t("audit.search")}</button></form>
    <section class="hits" aria-label=${t("audit.search.results")}>
      <div role="status">${result && html`<${Said} result=${result} choose=${(/** @type {string} */ player) => go({ ...result.asked, player })} />`}</div>
      ${result && html`<${Hits} hits=${result.hits} />`}
      ${result?.next && html`<button type="button" class="btn" onClick=${() => show(look(result.asked, result))}>${t("audit.search.more")}</button>`}
    </section>`;
}

function Fields({ asked, fault }) {
  const wrong = (/** @type {string} */ name) => (fault === name ? { "aria-invalid": "true", "aria-describedby": "search-fault" } : {});
  const option = (/** @type {string} */ value, /** @type {string} */ words) => html`<option key=${value} value=${value}>${words}</option>`;
  return html`<label>${t("audit.search.kind")}<select class="field" name="kind" value=${asked.kind}>${KINDS.map((one) => option(one === "any" ? "" : one, t(`audit.search.kind.${one}`)))}</select></label>
    <label>${t("audit.search.within")}<input class="field" name="within_ms" type="number" min="0" step="any" inputmode="decimal" value=${asked.within_ms} ...${wrong("within")} /></label>
    <label>${t("audit.search.table")}<input class="field" name="table" maxlength="200" autocomplete="off" spellcheck=${false} placeholder="TULP7" value=${asked.table} ...${wrong("table")} /></label>
    <label>${t("audit.search.player")}<input class="field" name="player" maxlength="64" autocomplete="off" spellcheck=${false} value=${asked.player} /></label>
    <label>${t("audit.search.since")}<input class="field" name="from" type="datetime-local" step="1" value=${asked.from} ...${wrong("times")} /></label>
    <label>${t("audit.search.until")}<input class="field" name="to" type="datetime-local" step="1" value=${asked.to} ...${wrong("times")} /></label>
    <label class="row">${t("audit.search.code")}<select class="field" name="refused" value=${asked.refused}>${option("", t("audit.search.code.any"))}${REFUSALS.map((one) => option(one, code(one)))}</select></label>`;
}

/** How many, or why none; and who is meant, where a name is more than one's. @param {{result: Result, choose: (player: string) => void}} props */
function Said({ result, choose }) {
  const { fault, hits, called, asked, unknown } = result;
  if (fault) return html`<p class="fault" id="search-fault">${has(`audit.search.fault.${fault}`) ? t(`audit.search.fault.${fault}`) : coded("audit.fault", fault, { code: fault })}</p>`;
  if (!hits.length) return html`<p><b>${t("audit.search.none")}</b></p>${unknown.map((name) => html`<p key=${name}>${name === "player" ? t(isId(asked.player) ? "audit.search.noPlayer" : "audit.search.nobody", { name: asked.player }) : t("audit.search.noTable", { table: asked.table })}</p>`)}
    ${!unknown.length && (asked.table || asked.player) && html`<p>${t("audit.search.wider")}</p>`}`;
  return html`<p class="small">${t(result.next ? "audit.search.first" : "audit.search.found", { n: hits.length })}</p>
    ${called.length > 1 && html`<div class="namesakes"><p><b>${t("audit.search.namesakes", { n: called.length, name: asked.player })}</b></p>
      ${called.map(({ player, name }) => html`<button key=${player} type="button" class="btn" onClick=${() => choose(player)}>${t("audit.search.only", { name, id: short(player) })}</button>`)}</div>`}`;
}

/** An id as people can compare it. @param {string} id */
export const short = (id) => `${id.slice(0, 8)}…${id.slice(-4)}`;
