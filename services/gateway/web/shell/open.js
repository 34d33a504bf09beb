// The open tables, live: each a little drawn table and what can be done there.
import { ask, asPlayer, sitDown } from "../api.js";
import { coded, t } from "../i18n.js";
import { html, useEffect, useState } from "../lib.js";
import { knows } from "../games/names.js";
import { go } from "../route.js";

const EVERY_MS = 4000;

/** @param {{named: () => string|null, fault: (field: string, code: string) => void}} props */
export function OpenTables({ named, fault }) {
  const [tables, set] = useState(/** @type {any[]|null} */ (null));
  useEffect(() => {
    const look = async () => {
      if (document.hidden) return;
      const answer = await ask("GET", "/tables");
      if (answer.ok) set(answer.value.filter((table) => knows(table.game)));
    };
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const sit = async (table) => {
    const name = named();
    if (!name) return;
    const answer = await asPlayer(name, () => sitDown(table.table_id));
    if (answer.ok) go({ page: "table", id: table.table_id, code: null });
    else fault("name", answer.code);
  };
  if (!tables) return html`<section class="opens"><h2>${t("open.title")}</h2></section>`;
  return html`<section class="opens"><h2>${t("open.title")}</h2>
    ${tables.length === 0 && html`<p class="none">${t("open.none")}</p>`}
    <ul class="opentables">${tables.map((table) => html`<${Row} key=${table.table_id} table=${table} sit=${sit} />`)}</ul></section>`;
}

function Row({ table, sit }) {
  const free = table.free;
  const seating = !table.phase || table.phase === "seating";
  const line = free && seating ? t("open.free", { n: free }) : table.round ? t("open.playing", { round: table.round }) : coded("phase", table.phase ?? "seating");
  const title = table.host ? t("open.with", { game: t(`game.${table.game}`), host: table.host }) : t(`game.${table.game}`);
  return html`<li><${Mini} seats=${table.seats} taken=${table.seats - free} /><span><b>${title}</b><small>${line}</small></span>
    ${free && seating
      ? html`<button type="button" class="btn" aria-label=${`${t("open.sit")}: ${title}`} onClick=${() => sit(table)}>${t("open.sit")}</button>`
      : html`<button type="button" class="btn" aria-label=${`${t("open.watch")}: ${title}`} onClick=${() => go({ page: "table", id: table.table_id, code: null })}>${t("open.watch")}</button>`}
  </li>`;
}

/** A table from above: filled seats are taken. */
function Mini({ seats, taken }) {
  const at = Array.from({ length: seats }, (_, i) => (2 * Math.PI * i) / seats + Math.PI / 2);
  return html`<svg class="mini" viewBox="0 0 44 34" aria-hidden="true"><rect x="10" y="9" width="24" height="16" rx="7" />
    ${at.map((angle, i) => html`<circle key=${i} class=${i < taken ? "t" : "f"} cx=${22 + 17 * Math.cos(angle)} cy=${17 + 12.5 * Math.sin(angle)} r="3.6" />`)}</svg>`;
}
