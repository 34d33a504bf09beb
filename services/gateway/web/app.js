// Boot: words, where we are, and the whole page drawn from what is known, again after each change.
import { style } from "./games/index.js";
import { load, t } from "./i18n.js";
import { bind } from "./keys.js";
import { html, render } from "./lib.js";
import { onArrival, read } from "./route.js";
import { set, settings } from "./settings.js";
import { Start } from "./shell/start.js";
import { drawWith, redraw, sheet, toast, ui } from "./state.js";

/** What the start page does without: loaded when it is first drawn. @type {Record<string, any>} */
const loaded = {};
/** @type {Record<string, () => Promise<any>>} */
const later = {
  table: () => import("./table.js"), arrive: () => import("./shell/arrive.js"), sheets: () => import("./shell/sheets.js"),
  packs: async () => { await Promise.all(["kwartet.css", "packs.css"].map(style)); return import("./packs/page.js"); },
};

/** @param {"table"|"arrive"|"sheets"|"packs"} name */
async function need(name) {
  loaded[name] ??= await later[name]();
  redraw();
  return loaded[name];
}

function Page() {
  const { route } = ui;
  const { table, arrive, sheets, packs } = loaded;
  if (ui.sheet && !sheets) need("sheets");
  return html`
    ${route.page === "start" && html`<${Start} />`}
    ${route.page === "packs" && packs && html`<${packs.Packs} />`}
    ${route.page === "join" && arrive && html`<${arrive.Join} key=${route.code} code=${route.code} />`}
    ${route.page === "table" && table && ui.table && html`<${table.TableScreen} key=${route.id} table=${ui.table} />`}
    ${ui.sheet === "menu" && sheets && html`<${sheets.Menu} />`}
    ${ui.sheet === "help" && sheets && html`<${sheets.Help} />`}
    <div class="toasts" role="status">${ui.toast && html`<p class="toast" key=${ui.toast.id}>${ui.toast.text}</p>`}</div>`;
}

function draw() {
  const root = document.getElementById("app");
  if (root) render(html`<${Page} />`, root);
  if (root?.querySelector("main")) document.getElementById("first")?.remove(); // what was painted meanwhile
}

bind("page", () => [
  { key: "M", label: t("key.sound"), run: () => { set({ sound: !settings.sound }); toast(t(settings.sound ? "menu.sound.on" : "menu.sound.off")); } },
  { key: "?", label: t("key.help"), run: () => sheet("help") },
]);

onArrival(async (route) => {
  document.title = "Quartet";
  if (route.page === "join") need("arrive");
  if (route.page === "packs") need("packs");
  if (route.page !== "table") loaded.table?.closeTable();
  else (await need("table")).openTable(route.id, route.code);
});

// Whoever touches the start page will soon sit at a table.
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => need("table"), { once: true, passive: true });

addEventListener("resize", redraw); // what a sheet covers depends on the width

await load();
drawWith(draw);
read();
redraw();
