// The start page: a name, a game, seats; house rules folded away; a code; the open tables. No account, nothing before play.
import { ask, asPlayer, uuid } from "../api.js";
import { coded, has, LANGUAGES, language, t } from "../i18n.js";
import { cls, html, useEffect, useRef, useState } from "../lib.js";
import { Card, Choice, Glyph, Icon } from "../parts.js";
import { me } from "../settings.js";
import { go } from "../route.js";
import { redraw, sheet } from "../state.js";
import { knows } from "../games/names.js";
import { differing, HouseRules } from "./rules.js";
import { OpenTables } from "./open.js";
import { Tiles } from "./tiles.js";

/** What is chosen on this page, kept while it is left for a moment. */
export const wish = {
  name: me.name, game: "quatro", seats: /** @type {Record<string, number>} */ ({}), rules: /** @type {Record<string, Record<string, any>>} */ ({}),
  open: false, code: "", busy: false, fault: /** @type {{field: string, text: string}|null} */ (null),
};
/** @type {import("../types.js").GameInfo[]} */
let games = [];

/** @param {string} field @param {string} code @param {Record<string, unknown>} [values] */
function fault(field, code, values) {
  wish.fault = { field, text: coded("fault", code, values) };
  wish.busy = false;
  redraw();
  document.getElementById(`f-${field}`)?.focus();
}

/** The name as written, or the field with a question. */
export function named() {
  const name = wish.name.trim();
  if (name) return name;
  fault("name", "name_empty");
  return null;
}

async function setTheTable() {
  const name = named();
  if (!name || wish.busy) return;
  wish.busy = true;
  redraw();
  const body = { id: uuid(), game: wish.game, seats: seatsOf(current()), rules: wish.rules[wish.game] ?? {}, private: !wish.open, sit: true };
  const answer = await asPlayer(name, () => ask("POST", "/tables", body));
  wish.busy = false;
  if (answer.ok) return go({ page: "table", id: answer.value.table_id, code: answer.value.code ?? null });
  const field = /name/.test(answer.code) ? "name" : answer.code === "bad_rules" ? "rules" : "table";
  fault(field, answer.code, { detail: answer.detail?.detail ?? "" });
}

/** @returns {import("../types.js").GameInfo|undefined} */
const current = () => games.find((one) => one.game === wish.game);
/** @param {import("../types.js").GameInfo|undefined} game */
const seatsOf = (game) => wish.seats[wish.game] ?? (game?.seats.includes(4) ? 4 : game?.seats[0] ?? 4);

/** What the chosen pack is called, where it has no name of ours. */
let packNamed = "";

/** A pack to play with: the house rule of its game that takes it. @param {{game: string, rule: string, name: string, hash: string, shipped: boolean}} pack */
export function choosePack({ game, rule, name, hash, shipped }) {
  wish.game = game;
  wish.rules[game] = { ...wish.rules[game], [rule]: shipped ? name : hash };
  packNamed = name;
}

export function Start() {
  useEffect(() => {
    ask("GET", "/games").then((answer) => {
      if (answer.ok) games = gamesOf(answer.value);
      redraw();
    });
  }, []);
  return html`<main class="start"><${Tiles} />
    <div class="door">
      <header class="brand"><${Glyph} name="quad" /><h1>Quartet</h1>
        <button type="button" class="btn" aria-haspopup="dialog" onClick=${() => sheet("menu")}><span class="vh">${t("start.language")} </span>${LANGUAGES[/** @type {"en"} */ (language)]}</button></header>
      <p class="lead">${t("start.lead")}</p>
      <${Laying} />
      <aside class="beside"><${CodeField} /><${OpenTables} named=${named} fault=${fault} /></aside>
    </div></main>`;
}

/** @param {any} value what GET /games answers @returns {import("../types.js").GameInfo[]} */
function gamesOf(value) {
  return value.filter((row) => knows(row.game));
}

function Laying() {
  const game = current();
  const rules = wish.rules[wish.game] ?? {};
  const words = [...(game ? differing(game, rules) : []), t(wish.open ? "rules.open" : "rules.private")];
  return html`<form class="laying" onSubmit=${(event) => { event.preventDefault(); setTheTable(); }}>
    <div><label class="lab" for="f-name">${t("start.name")}</label>
      <input class="field" id="f-name" value=${wish.name} autocomplete="nickname" maxlength="24" spellcheck="false"
        aria-invalid=${wish.fault?.field === "name"} aria-describedby="e-name"
        onInput=${(event) => { wish.name = event.target.value; if (wish.fault) { wish.fault = null; redraw(); } }} />
      <${Fault} field="name" /></div>
    <div class="boxes" role="group" aria-label=${t("start.games")}>
      ${(games.length ? games.map((one) => one.game) : ["quatro"]).map((name) => html`<${Box} key=${name} name=${name} />`)}
    </div>
    <div class="opts">
      ${game && html`<${Choice} label=${t("start.seats")} name="seats" value=${seatsOf(game)} pick=${(n) => { wish.seats[wish.game] = n; redraw(); }}
        options=${game.seats.map((n, i) => [n, i ? n : t("start.nSeats", { n })])} />`}
      ${game?.rules.properties.pack && html`<${PackChoice} value=${rules.pack ?? game.rules.properties.pack.default} />`}
      <details id="f-rules"><summary>${t("rules.summary", { rules: words.join(", ") })}</summary>
        ${game && html`<${HouseRules} game=${game} rules=${rules} change=${(changed) => { wish.rules[wish.game] = changed; redraw(); }}
          open=${wish.open} setOpen=${(open) => { wish.open = open; redraw(); }} />`}
      </details>
      <${Fault} field="rules" /><${Fault} field="table" />
      <button class="btn main big" id="f-table" aria-disabled=${wish.busy}>${t("start.set")}</button>
    </div>
  </form>`;
}

/** A game that plays with packs: which one, and the way to the others and to one of one's own. */
const PackChoice = ({ value }) => html`<button type="button" class="btn packchoice" onClick=${() => go({ page: "packs" })}><${Icon} name="grid" />
  <span><small>${t("start.pack")}</small><b>${has(`pack.${value}`) ? t(`pack.${value}`) : packNamed || value}</b></span><span class="push">${t("start.pack.change")}</span></button>`;

/** What is wrong, at the field where it is. */
export const Fault = ({ field }) => html`<p class="fault" id=${`e-${field}`} aria-live="polite">${wish.fault && wish.fault.field === field ? wish.fault.text : ""}</p>`;

/** A game's box with its own cards. */
function Box({ name }) {
  const chosen = wish.game === name;
  const art = name === "quatro"
    ? html`<span class="art">${[..."SHCD"].map((suit) => html`<${Card} card=${`K${suit}`} key=${suit} />`)}</span>`
    : html`<span class="art fan4">${["🦔", "🦊", "🦉"].map((face, i) => html`<i class=${`card ${"shc"[i]}`}><span class="r emoji">${face}</span></i>`)}</span>`;
  return html`<button type="button" class="box" aria-pressed=${chosen} onClick=${() => { wish.game = name; redraw(); }}>
    <span aria-hidden="true">${art}</span><b>${t(`game.${name}`)}</b><small>${t(`game.${name}.line`)}</small></button>`;
}

function CodeField() {
  const field = useRef(/** @type {HTMLInputElement|null} */ (null));
  const [code, set] = useState("");
  const join = (event) => {
    event.preventDefault();
    if (code.trim()) go({ page: "join", code: code.trim().toUpperCase() });
    else field.current?.focus();
  };
  return html`<form onSubmit=${join}><label class="lab" for="f-code">${t("start.code")}</label>
    <div class="join"><input ref=${field} class="field" id="f-code" value=${code} placeholder="TULP7" maxlength="12" autocapitalize="characters" autocomplete="off" spellcheck="false"
      onInput=${(event) => set(event.target.value)} /><button class=${cls("btn", { main: code.trim().length >= 5 })}>${t("start.join")}</button></div></form>`;
}
