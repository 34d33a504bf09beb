// Kwartet's top line: the turn's clock, whose turn it is in words, the pack.
import { t } from "../i18n.js";
import { cls, html } from "../lib.js";
import { worded } from "../shell/rules.js";
import { Clock, HelpButton, MenuButton, Run, Says } from "../shell/top.js";
import { look } from "./look.js";
import { packTitle } from "./names.js";

/** @param {{table: any, title: string, label?: string}} props */
export function Line({ table, title, label = "kw.left" }) {
  const { view, mine } = look(table);
  const deadline = view.phase === "playing" || view.phase === "preparing" ? view.deadline : null;
  const pack = packTitle(view.pack.name, view.pack.name === "ordinary");
  const rules = worded("kwartet", view.rules).map((one) => ` · ${one}`);
  return html`<header class=${cls("top", { timed: deadline, mine })} key="top"><${Clock} deadline=${deadline} label=${label} urgent=${mine} />
    <h1 class="turn">${title}</h1><span class="push"></span>
    <small class="packname"><span class="wide">${table.info?.code ? `${table.info.code} · ` : ""}</span><span lang=${view.pack.language}>${pack}</span><span class="wide">${rules}</span></small><${HelpButton} /><${MenuButton} />
    <${Run} deadline=${deadline} /><${Says} table=${table} /></header>`;
}

/** "Your turn", "Mila’s turn" @param {any} table */
export function turnWords(table) {
  const { view, mine } = look(table);
  if (view.phase !== "playing" || view.turn === null) return t("game.kwartet");
  return mine ? t("kw.yourTurn") : t("kw.turnOf", { name: table.name(view.turn) });
}
