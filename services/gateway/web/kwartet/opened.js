// What is opened by hand over the table: a whole card with its fact, a player's families, the record.
import { t } from "../i18n.js";
import { html, useEffect, useRef } from "../lib.js";
import { Icon } from "../parts.js";
import { redraw } from "../state.js";
import { Done, Full } from "./cards.js";
import { familyOf, setsOf } from "./look.js";
import { familyName, nameOf, who } from "./names.js";
import { stateOf } from "./state.js";
import { Record } from "./talk.js";

/** @param {{table: any, at: any}} props */
export function Opened({ table, at }) {
  const state = stateOf(table);
  const { sheet } = state;
  if (!sheet) return null;
  const close = () => { state.sheet = null; redraw(); };
  switch (sheet.kind) {
    case "record": return html`<${Over} title=${t("kw.record")} close=${close} class="record"><${Record} table=${table} at=${at} /><//>`;
    case "sets": return html`<${Over} title=${t("kw.familiesOf", { name: who(table, sheet.seat) })} close=${close}><div class="dones">${setsOf(at.view, sheet.seat).map((family) => html`<${Done} key=${family} view=${at.view} family=${family} />`)}</div><//>`;
    case "peek": return html`<${Peek} view=${at.view} card=${sheet.card} close=${close} />`;
  }
}

/** A card in full, with what the pack tells of it. */
function Peek({ view, card, close }) {
  const fact = familyOf(view, card.family).members.find((one) => one.name === card.member)?.fact;
  return html`<${Over} title=${nameOf(view, card)} line=${familyName(view, card.family)} close=${close} class="peek"><${Full} view=${view} card=${card} />
    ${fact && html`<p class="fact" lang=${view.pack.language}>${fact}</p>`}<//>`;
}

/** A dialog over the table; Escape, the cross or a tap beside closes it. The browser makes all else inert and gives the focus back. */
function Over({ title, children, close, class: more = "" }) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  return html`<dialog ref=${dialog} class=${`sheetd over ${more}`} aria-labelledby="over-title" onClose=${close}
      onClick=${(event) => { event.stopPropagation(); if (event.target === dialog.current) dialog.current?.close(); }}>
    <div class="sheetin"><header><h2 id="over-title">${title}</h2>
      <button type="button" class="btn icon" aria-label=${t("close")} onClick=${() => dialog.current?.close()}><${Icon} name="x" /></button></header>${children}</div></dialog>`;
}
