// Packs: those that come with the game, those that were loaded here, and a file of one's own. Look inside, then play with it.
import { coded, list as listed, number, t } from "../i18n.js";
import { cls, html, useEffect, useRef, useState } from "../lib.js";
import { Icon } from "../parts.js";
import { packTitle, familyName } from "../kwartet/names.js";
import { Tile } from "../kwartet/tile.js";
import { go } from "../route.js";
import { me } from "../settings.js";
import { MenuButton } from "../shell/top.js";
import { wish, choosePack } from "../shell/start.js";
import { redraw } from "../state.js";
import { Faults } from "./faults.js";
import { clear, list, load, look, shelf } from "./shelf.js";

export function Packs() {
  useEffect(() => {
    clear();
    list();
  }, []);
  const top = useRef(/** @type {HTMLElement|null} */ (null));
  const what = shelf.shown?.hash ?? shelf.refused;
  useEffect(() => { if (what) { scrollTo(0, 0); top.current?.focus(); } }, [what]);
  const back = () => { if (what) { Object.assign(shelf, { shown: null, refused: null }); redraw(); } else go({ page: "start" }); };
  return html`<div class="page packpage"><header class="top"><button type="button" class="btn icon" aria-label=${t("back")} onClick=${back}><${Icon} name="back" /></button>
      <b class="show title">${t("packs.title")}</b><span class="push"></span><${MenuButton} /></header>
    <main class="packp"><${Head} focus=${top} />
      ${shelf.refused ? html`<${Faults} refused=${shelf.refused} />` : shelf.shown ? html`<${Inside} shown=${shelf.shown} />` : html`<${Shelves} />`}
      <aside><${Drop} again=${Boolean(shelf.refused)} /></aside></main></div>`;
}

/** What lies open: all packs, one, or a file with its faults. */
function Head({ focus }) {
  const { shown, refused } = shelf;
  if (refused) return html`<header><h1 ref=${focus} tabindex="-1">${t(refused.faults.length === 1 ? "packs.mend.one" : "packs.mend", { n: capital(number(refused.faults.length)), name: refused.name })}</h1><p class="lead">${t("packs.nothing")}</p></header>`;
  if (!shown) return html`<header><h1 ref=${focus} tabindex="-1">${t("packs.choose")}</h1><p class="lead">${t("packs.lead")}</p></header>`;
  const n = shown.pack.families.length;
  const line = [t("packs.count", { families: n, cards: n * 4 }), shown.language ? tongue(shown.language) : ""].filter(Boolean).join(" · ");
  return html`<header class="chosen"><div><h1 ref=${focus} tabindex="-1" lang=${shown.shipped ? null : shown.language}>${packTitle(shown.name, shown.shipped)}</h1><p class="lead">${line}</p></div>
    <button type="button" class="btn main big" onClick=${() => { choosePack(shown); go({ page: "start" }); }}>${t("packs.play")}</button></header>`;
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** A language by its own reader's name. @param {string} tag */
function tongue(tag) {
  try { return capital(new Intl.DisplayNames([document.documentElement.lang], { type: "language" }).of(tag) ?? tag); } catch { return tag; }
}

function Shelves() {
  if (!shelf.packs) return html`<p class="lead" role="status">${shelf.trouble ? coded("fault", shelf.trouble) : t("packs.looking")}</p>`;
  const shipped = shelf.packs.filter((pack) => pack.shipped);
  const loaded = shelf.packs.filter((pack) => !pack.shipped);
  return html`<div class="shelves"><${Shelf} title=${t("packs.shipped")} packs=${shipped} />${loaded.length > 0 && html`<${Shelf} title=${t("packs.loaded")} packs=${loaded} />`}</div>`;
}

const Shelf = ({ title, packs }) => html`<section><h2>${title}</h2><ul class="packlist">${packs.map((pack) => html`<li key=${pack.hash}><button type="button" class=${cls("packb", { on: chosen(pack) })} onClick=${() => look(pack)}>
  <b lang=${pack.shipped ? null : pack.language}>${packTitle(pack.name, pack.shipped)}</b><small>${[pack.language ? tongue(pack.language) : "", chosen(pack) ? t("packs.now") : ""].filter(Boolean).join(" · ") || (pack.name === "ordinary" ? t("packs.suits") : "")}</small></button></li>`)}</ul></section>`;

/** @param {import("./shelf.js").Pack} pack */
const chosen = (pack) => (wish.rules[pack.game]?.[pack.rule] ?? "ordinary") === (pack.shipped ? pack.name : pack.hash);

function Inside({ shown }) {
  const view = { pack: shown.pack };
  const sources = shown.pack.sources ?? [];
  return html`<div class="inside"><div class="famlist">${shown.pack.families.map((family) => html`<${Tile} key=${family.name} family=${family} name=${familyName(view, family.name)} ordinary=${shown.pack.name === "ordinary"} language=${shown.language} />`)}</div>
    ${sources.length > 0 && html`<p class="small">${t("packs.sources", { sources: listed(sources) })}</p>`}</div>`;
}

/** Choose a file or let it fall here. Whose it is has to be known first. */
function Drop({ again }) {
  const [over, set] = useState(false);
  const [name, write] = useState(wish.name || me.name);
  const [missing, miss] = useState(false);
  const field = useRef(/** @type {HTMLInputElement|null} */ (null));
  const asks = !(me.token || wish.name.trim());
  const take = (/** @type {FileList|null} */ list) => {
    const files = [...(list ?? [])];
    if (!files.length) return;
    if (asks && !name.trim()) { miss(true); return document.getElementById("f-packer")?.focus(); }
    load(files, name.trim() || me.name);
  };
  const drop = (event) => { event.preventDefault(); set(false); take(event.dataTransfer.files); };
  return html`<div class=${cls("drop", { over })} onDragOver=${(event) => { event.preventDefault(); set(true); }} onDragLeave=${() => set(false)} onDrop=${drop}>
    <${Icon} name="file" /><h2>${t(again ? "packs.again" : "packs.own")}</h2><small>${t("packs.how")}</small>
    ${asks && html`<label class="packer"><span class="lab">${t("start.name")}</span><input class="field" id="f-packer" value=${name} maxlength="24" autocomplete="nickname" aria-invalid=${missing} aria-describedby="e-packer" onInput=${(event) => { write(event.target.value); miss(false); }} /></label>`}
    <button type="button" class=${cls("btn", { main: !shelf.shown })} aria-disabled=${shelf.busy} onClick=${() => field.current?.click()}>${t("packs.file.choose")}</button>
    <input ref=${field} type="file" hidden multiple accept=".csv,.json,text/csv,application/json,.png,image/png" aria-label=${t("packs.file.choose")} onChange=${(event) => { take(event.target.files); event.target.value = ""; }} />
    <${Pictures} /><p class="fault" id="e-packer" role="status">${missing ? t("fault.name_empty") : shelf.trouble ? coded("fault", shelf.trouble) : ""}</p></div>`;
}

/** The pictures that came along, each as it is, or what is wrong with it. */
function Pictures() {
  const { pictures } = shelf;
  return pictures.length > 0 && html`<ul class="pngs" aria-label=${t("pictures.label")}>${pictures.map(({ name, url, fault }) => html`<li key=${name} class=${cls({ bad: fault })}>
    ${fault ? html`<${Icon} name="x" />` : html`<img src=${url} alt="" />`}<span><b>${name}</b>${fault && html`<small>${fault}</small>`}</span></li>`)}</ul>`;
}
