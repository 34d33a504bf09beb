// The way in: a search over finished rounds (players their own, auditors all), and a place to drop a bundle.
import { ask } from "../api.js";
import { coded, margin, t } from "../i18n.js";
import { html, useEffect, useState } from "../lib.js";
import { locale } from "./book.js";
import { Icon } from "../parts.js";
import { me } from "../settings.js";
import { code } from "./tell.js";

const KINDS = ["any", "refused", "race", "swap", "call", "lost_call"];
const ID = /^[0-9a-f-]{36}$/i;

export function Find({ fault, picked }) {
  const [hits, setHits] = useState(/** @type {any[]} */ ([]));
  const [state, set] = useState({ next: /** @type {string|null} */ (null), done: false, fault: "" });
  const [asked, setAsked] = useState(() => new URLSearchParams());
  const look = async (/** @type {URLSearchParams} */ query, /** @type {string|null} */ after) => {
    setAsked(query);
    if (!me.token) return set({ next: null, done: true, fault: "token" });
    const answer = await ask("GET", `/audit/search?${query}${after ? `&after=${encodeURIComponent(after)}` : ""}`);
    if (!answer.ok) return set({ next: null, done: true, fault: answer.status === 401 ? "token" : answer.code });
    setHits(after ? [...hits, ...answer.value.hits] : answer.value.hits);
    set({ next: answer.value.next, done: true, fault: "" });
  };
  useEffect(() => { look(new URLSearchParams(), null); }, []);
  const submit = (/** @type {SubmitEvent} */ event) => { event.preventDefault(); look(query(/** @type {HTMLFormElement} */ (event.target)), null); };
  return html`<main class="find"><h1>${t("audit.find")}</h1>
    ${fault && html`<p class="fault" role="alert">${coded("audit.fault", fault, { code: fault })}</p>`}
    <p>${t("audit.search.hint")}</p>
    <form class="panel searching" onSubmit=${submit}>
      <label>${t("audit.search.kind")}<select class="field" name="kind">${KINDS.map((one) => html`<option key=${one} value=${one === "any" ? "" : one}>${t(`audit.search.kind.${one}`)}</option>`)}</select></label>
      <label>${t("audit.search.within")}<input class="field" name="within_ms" type="number" min="0" step="any" inputmode="decimal" /></label>
      <label>${t("audit.search.code")}<input class="field" name="code" maxlength="40" placeholder="card_gone" /></label>
      <label>${t("audit.search.table")}<input class="field" name="table" maxlength="36" /></label>
      <label>${t("audit.search.player")}<input class="field" name="player" maxlength="64" /></label>
      <label>${t("audit.search.since")}<input class="field" name="from" type="datetime-local" /></label>
      <label>${t("audit.search.until")}<input class="field" name="to" type="datetime-local" /></label>
      <button type="submit" class="btn main">${t("audit.search")}</button>
    </form>
    <section class="hits" aria-live="polite">
      ${state.fault ? html`<p class="fault">${coded("audit.fault", state.fault, { code: state.fault })}</p>` : state.done && html`<p class="small">${hits.length ? t("audit.search.found", { n: hits.length }) : t("audit.search.none")}</p>`}
      <ol>${hits.map((hit) => html`<li key=${`${hit.table} ${hit.version}`}><${Hit} hit=${hit} /></li>`)}</ol>
      ${state.next && html`<button type="button" class="btn" onClick=${() => look(asked, state.next)}>${t("audit.search.more")}</button>`}
    </section>
    <${Drop} picked=${picked} /></main>`;
}

/** What was filled in; times as microseconds, a table's code as the table it belongs to. @param {HTMLFormElement} form */
function query(form) {
  const found = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    if (!text) continue;
    if (name === "from" || name === "to") found.set(name, String(new Date(text).getTime() * 1000));
    else found.set(name, name === "table" && ID.test(text) ? text.toLowerCase() : text);
  }
  return found;
}

function Hit({ hit }) {
  const when = new Date(hit.at / 1000).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "medium" });
  const who = hit.seat === null ? "" : t("audit.seat", { n: hit.seat + 1 });
  return html`<a class="found" href=${`/audit?table=${hit.table}&round=${hit.round}&at=${hit.version}`}>
    <span><b>${coded("game", hit.game)}, ${t("audit.round", { n: hit.round })}</b> <small>${when}</small></span>
    <span>${[who, coded("audit.command", hit.command, { code: hit.command }), code(hit.code)].filter(Boolean).join(" · ")}</span>
    <b>${hit.margin_us === null ? "" : margin(hit.margin_us)}</b></a>`;
}

/** @param {{picked: (file: File) => void}} props */
export const Pick = ({ picked }) => html`<label class="btn pickfile"><${Icon} name="file" />${t("audit.openBundle")}<input class="vh" type="file" accept=".zip,application/zip" onChange=${(event) => { const [file] = event.target.files; if (file) picked(file); event.target.value = ""; }} /></label>`;

/** @param {{picked: (file: File) => void}} props */
export const Drop = ({ picked }) => html`<section class="drop"><${Pick} picked=${picked} />
  <p class="small">${t("audit.dropped")}</p></section>`;
