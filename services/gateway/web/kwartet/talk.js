// What was asked: the last question large, two before it small; the whole record at the right or behind a tap.
import { t } from "../i18n.js";
import { cls, html } from "../lib.js";
import { Icon, Token } from "../parts.js";
import { redraw } from "../state.js";
import { familyName, inWords, who } from "./names.js";
import { stateOf } from "./state.js";

/** @param {{table: any, at: any}} props */
export function Talk({ table, at }) {
  const state = stateOf(table);
  const [last, ...before] = state.log.filter((one) => one.type !== "family" && one.type !== "out").toReversed();
  const open = () => { state.sheet = { kind: "record" }; redraw(); };
  if (!last) return html`<section class="talk first" aria-label=${t("kw.last")}><p>${begins(table, at.view)}</p></section>`;
  return html`<section class=${cls("talk", { fresh: state.fresh === last.id })} aria-label=${t("kw.last")}>
    ${last.type === "asked" ? html`<${Question} key=${last.id} table=${table} view=${at.view} one=${last} />` : html`<p class="ask1 event" key=${last.id}><${Icon} name=${last.type === "drawn" ? "down" : "clock"} />${told(table, at.view, last)}</p>`}
    ${before.slice(0, 2).map((one) => html`<p class="old" key=${one.id}><span>${one.type === "asked" ? html`<${Asked} table=${table} view=${at.view} one=${one} />` : told(table, at.view, one)}</span>${one.type === "asked" && html`<span class="push">${t(one.given ? "kw.given" : "kw.no")}</span>`}</p>`)}
    <button type="button" class="all" aria-haspopup="dialog" onClick=${open}><span class="vh">${t("kw.record")}</span></button></section>`;
}

/** "Mila dealt. Noor begins." */
function begins(table, view) {
  if (view.turn === null || view.dealer === null) return t("kw.ends");
  return t(view.turn === table.seat ? "kw.youBegin" : "kw.begins", { dealer: who(table, view.dealer), name: table.name(view.turn) });
}

function Question({ table, view, one }) {
  const token = (seat, place) => html`<${Token} class=${place} name=${table.name(seat)} us=${seat === table.seat} />`;
  return html`<div class="ask1">${token(one.by, "by")}<span class="line"><${Asked} table=${table} view=${view} one=${one} broken=${true} /></span><${Answer} given=${one.given} />${token(one.to, "to")}</div>`;
}

/** "Teun asked Ada for the whale": a sentence of each language with its two names in bold. */
function Asked({ table, view, one, broken }) {
  const parts = t(one.by === table.seat ? "kw.youAsked" : one.to === table.seat ? "kw.askedYou" : "kw.asked", { by: "\0by\0", to: "\0to\0", card: "\0card\0" }).split("\0");
  const said = { by: () => html`<b>${table.name(one.by)}</b>`, to: () => html`<b>${table.name(one.to)}</b>`, card: () => html`${broken && html`<br />`}<b lang=${view.pack.language}>${inWords(view, one.card)}</b>` };
  return parts.map((part) => (part in said ? said[/** @type {"by"} */ (part)]() : part));
}

export const Answer = ({ given }) => html`<span class=${cls("answer", { given })}><${Icon} name=${given ? "ok" : "x"} />${t(given ? "kw.Given" : "kw.No")}</span>`;

/** What happened besides questions, in words. @param {any} table @param {any} view @param {any} one @returns {string} */
export function told(table, view, one) {
  const name = who(table, one.seat);
  const mine = one.seat === table.seat;
  switch (one.type) {
    case "timeout": return t(mine ? "kw.timeout.you" : "kw.timeout", { name });
    case "passed": return t(mine ? "kw.passed.you" : "kw.passed", { name });
    case "out": return t(mine ? "kw.emptied.you" : "kw.emptied", { name });
    case "family": return t(mine ? "kw.laid.you" : "kw.laid", { name, family: familyName(view, one.family) });
    default: return one.card ? t("kw.youDrew", { card: inWords(view, one.card) }) : t("kw.drew", { name });
  }
}

/** Everything since I came, the newest first. */
export function Record({ table, at }) {
  const { log } = stateOf(table);
  if (!log.length) return html`<p class="small">${t("kw.nothingYet")}</p>`;
  return html`<ol>${log.toReversed().map((one) => (one.type === "asked"
    ? html`<li key=${one.id}><span><${Asked} table=${table} view=${at.view} one=${one} broken=${true} />${!at.ordinary && html`<small lang=${at.view.pack.language}>${one.card?.family}</small>`}</span><${Answer} given=${one.given} /></li>`
    : html`<li key=${one.id} class=${one.type === "family" ? "fam" : "event"}>${told(table, at.view, one)}</li>`))}</ol>`;
}
