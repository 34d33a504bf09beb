// Boot: words, where we are, and the whole page drawn from what is known, again after each change.
import { load, t } from "./i18n.js";
import { bind } from "./keys.js";
import { html, render } from "./lib.js";
import { onArrival, read } from "./route.js";
import { set, settings } from "./settings.js";
import { Join } from "./shell/arrive.js";
import { Start } from "./shell/start.js";
import { drawWith, redraw, sheet, toast, ui } from "./state.js";
import { style } from "./style.js";

/** What the start page does without. @type {typeof import("./later.js")|null} */
let later = null;
let dressed = false;

/** Fetches it, once. Where its file is gone, the service was renewed since this page was loaded: it is loaded anew. */
async function need() {
  try {
    later ??= await import("./later.js");
  } catch (failure) {
    console.warn(failure);
    dispatchEvent(new Event("quartet:gone"));
    return new Promise(() => {});
  }
  redraw();
  return later;
}

function Page() {
  const { route } = ui;
  const { table, sheets, packs } = later ?? {};
  if (ui.sheet && !later) need();
  return html`
    ${route.page === "start" && html`<${Start} />`}
    ${route.page === "packs" && packs && dressed && html`<${packs.Packs} />`}
    ${route.page === "join" && html`<${Join} key=${route.code} code=${route.code} />`}
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
  if (route.page === "table") {
    const { table } = await need();
    if (ui.route === route) table.openTable(route.id, route.code); // else it was left meanwhile
    return;
  }
  later?.table.closeTable();
  if (route.page !== "packs") return;
  await Promise.all([need(), ...["kwartet.css", "packs.css"].map(style)]);
  dressed = true;
  redraw();
});

// Whoever touches the start page will soon sit at a table.
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, need, { once: true, passive: true });

addEventListener("resize", redraw); // what a sheet covers depends on the width

await load();
drawWith(draw);
read();
redraw();
