// The menu and the `?` sheet: opened by hand only, never by the table. The browser makes all else inert meanwhile.
import { all, cap } from "../keys.js";
import { coded, LANGUAGES, language, load, t } from "../i18n.js";
import { html, useEffect, useRef } from "../lib.js";
import { Choice, Icon, Switch } from "../parts.js";
import { set, settings } from "../settings.js";
import { worded } from "./rules.js";
import { redraw, sheet, toast, ui } from "../state.js";

/** A dialog of the page. Escape, the cross, or a tap beside it closes it. */
export function Sheet({ title, children, close = () => sheet(null), class: more = "" }) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return html`<dialog ref=${dialog} class=${`sheetd ${more}`} aria-labelledby="sheet-title" onClose=${close}
      onClick=${(event) => { if (event.target === dialog.current) dialog.current?.close(); }}>
    <div class="sheetin"><header><h2 id="sheet-title">${title}</h2>
      <button type="button" class="btn icon" aria-label=${t("close")} onClick=${() => dialog.current?.close()}>
          <${Icon} name="x" /></button></header>
      ${children}</div>
  </dialog>`;
}

/** @param {Partial<import("../settings.js").Settings>} changes */
function change(changes) {
  set(changes);
  redraw();
}

/** @param {string} wanted */
export async function speak(wanted) {
  try {
    await load(wanted);
  } catch {
    redraw();
    return toast(t("fault.offline"));
  }
  redraw();
  toast(t("menu.language.now", { language: LANGUAGES[/** @type {"en"} */ (language)] }));
}

export function Menu() {
  const table = ui.table;
  const offered = (/** @type {string} */ name) => !table?.game || table.game.settings?.includes(name);
  const rules = table?.public ? worded(table.public.game, table.public.rules) : [];
  const themes = ["system", "light", "dark"].map((one) => [one, t(`menu.theme.${one}`)]);
  return html`<${Sheet} title=${t("menu.title")}>
    <div class="menu">
      ${table?.info?.code && html`<p class="menucode">${t("menu.code")} <b class="show">${table.info.code}</b>
        <button type="button" class="btn" onClick=${() => table.copyLink()}><${Icon} name="copy" />${t("lobby.copy")}</button></p>`}
      ${rules.length > 0 && html`<p class="small">${t("rules.summary", { rules: rules.join(", ") })}</p>`}
      <${Switch} label=${t("menu.sound")} on=${settings.sound} flip=${(on) => change({ sound: on })} />
      <h3>${t("menu.theme")}</h3>
      <${Choice} label=${t("menu.theme")} name="theme" value=${settings.theme} options=${themes} pick=${(theme) => change({ theme })} />
      <h3>${t("menu.language")}</h3>
      <${Choice} label=${t("menu.language")} name="language" value=${language} options=${Object.entries(LANGUAGES)} pick=${speak} />
      <${Switch} label=${t("menu.keys")} on=${settings.keys} flip=${(on) => change({ keys: on })} />
      ${offered("swapCalls") && html`<${Switch} label=${t("menu.swapCalls")} on=${settings.swapCalls} flip=${(on) => change({ swapCalls: on })} />`}
      ${offered("sayEverySwap") && html`<${Switch} label=${t("menu.sayEverySwap")} on=${settings.sayEverySwap} flip=${(on) => change({ sayEverySwap: on })} />`}
      <div class="menuacts">
        <button type="button" class="btn" onClick=${() => sheet("help")}><${Icon} name="help" />${t("help.title")}</button>
        ${table && html`<button type="button" class="btn" onClick=${() => table.leave()}><${Icon}
            name="back" />${t("menu.leave")}</button>`}
      </div>
    </div>
  <//>`;
}

export function Help() {
  const game = ui.table?.public?.game;
  const keys = all().filter((key) => !key.quiet);
  return html`<${Sheet} title=${t("help.title")} class="help">
    ${game && html`<section class="rules">
        <h3>${t("help.rules")}</h3>${t(`help.${game}`).split("\n").map((line) => html`<p>${line}</p>`)}</section>`}
    <section><h3>${t("help.keys")}${settings.keys ? null : html` <small>${t("help.off")}</small>`}</h3>
      <dl class="keylist">${keys.map((key) => html`<div key=${key.label}>
          <dt>${key.shift && html`<kbd>${t("key.shift")}</kbd>+`}${(key.caps ?? [key.key]).map((one) => html`<kbd>${/^[A-Z]$/.test(one) ? cap(one) : coded("key", one)}</kbd>`)}</dt>
          <dd>${key.label}</dd></div>`)}</dl>
    </section>
  <//>`;
}
