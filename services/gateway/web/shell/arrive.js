// Coming by a link or a code: who asks me, and where it ends if there is no seat, no table, no game left (C-26).
import { ask, asPlayer, sitDown } from "../api.js";
import { coded, t } from "../i18n.js";
import { html, useEffect, useState } from "../lib.js";
import { Glyph } from "../parts.js";
import { me } from "../settings.js";
import { go } from "../route.js";
import { worded } from "./rules.js";
import { Tiles } from "./tiles.js";

/** @param {{code: string}} props */
export function Join({ code }) {
  const [found, set] = useState(/** @type {any} */ (null));
  const [refused, refuse] = useState(/** @type {string|null} */ (null));
  useEffect(() => {
    ask("GET", `/join/${encodeURIComponent(code)}`).then((answer) => (answer.ok ? set(answer.value) : refuse(answer.status === 404 ? "unknown" : answer.code)));
  }, [code]);
  const table = found;
  const watch = () => go({ page: "table", id: table.table_id, code });
  if (refused) return html`<${Door}><${End} why=${refused} code=${code} /><//>`;
  if (!table) return html`<${Door}><p class="lead" role="status">${t("join.looking")}</p><//>`;
  if (table.phase === "closed") return html`<${Door}><${End} why="closed" code=${code} reason=${table.reason} /><//>`;
  return html`<${Door}><${Asked} table=${table} code=${code} watch=${watch} refuse=${refuse} /><//>`;
}

/** "Ada asks you to a table of Quatro." */
function Asked({ table, code, watch, refuse }) {
  const [name, setName] = useState(me.name);
  const [fault, setFault] = useState("");
  const free = table.free;
  if (!free && !table.seated) return html`<${End} why=${table.phase === "over" ? "over" : "full"} code=${code} watch=${watch} />`;
  const sit = async (event) => {
    event.preventDefault();
    if (!name.trim()) {
      document.getElementById("f-name")?.focus();
      return setFault(t("fault.name_empty"));
    }
    const answer = await asPlayer(name.trim(), () => sitDown(table.table_id));
    if (answer.ok) go({ page: "table", id: table.table_id, code }, true);
    else if (["table_full", "seats_closed", "closed"].includes(answer.code)) refuse(answer.code === "table_full" ? "full" : answer.code);
    else setFault(coded("fault", answer.code));
  };
  const game = t(`game.${table.game}`);
  const odd = worded(table.game, table.rules);
  return html`<form class="asked" onSubmit=${sit}>
    <h1>${table.host ? t("join.asks", { host: table.host, game }) : t("join.table", { game })}</h1>
    <p class="lead">${t("join.free", { n: free })} ${t(`game.${table.game}.line`)}</p>
    ${odd.length > 0 && html`<p>${t("rules.summary", { rules: odd.join(", ") })}</p>`}
    <div><label class="lab" for="f-name">${t("start.name")}</label>
      <input class="field" id="f-name" value=${name} autocomplete="nickname" maxlength="24" spellcheck="false"
          aria-invalid=${Boolean(fault)} aria-describedby="e-name"
        onInput=${(event) => { setName(event.target.value); setFault(""); }} />
      <p class="fault" id="e-name" aria-live="polite">${fault}</p></div>
    <div class="acts"><button class="btn main big">${t("join.sit")}</button><button type="button" class="btn big"
        onClick=${watch}>${t("join.watch")}</button></div>
  </form>`;
}

/** Where there is nothing to sit down at: what is so, and a way on. */
export function End({ why, code, watch, reason }) {
  const again = () => go({ page: "start" });
  return html`<section class="asked" role="status"><h1>${coded("end", why, { code })}</h1>
    ${reason && html`<p class="lead">${reason}</p>`}
    <div class="acts">${watch && html`<button type="button" class="btn main big" onClick=${watch}>${t("join.watch.plain")}</button>`}
      <button type="button" class="btn big" onClick=${again}>${t("join.new")}</button></div></section>`;
}

/** The wall, the name of the house, and one thing to decide. */
const Door = ({ children }) => html`<main class="start"><${Tiles} /><div class="door guest">
  <header class="brand"><${Glyph} name="quad" /><p class="show brandname">Quartet</p></header>${children}</div></main>`;

/** @type {Record<number, string>} */
const WHY = { 4404: "gone", 4403: "private", 4401: "token", 4430: "too_many_requests" };

/** A table that can't be watched or went away. */
export function Ended({ table }) {
  const why = WHY[table.live.closedWith] ?? "closed";
  const reason = why === "closed" ? table.public?.reason ?? table.live.reason : null;
  return html`<${Door}><${End} why=${why} code=${table.code ?? ""} reason=${reason} /><//>`;
}
