// Boot: words, where we are, and the whole page drawn from what is known, again after each change.
import { load, t } from "./i18n.js";
import { bind } from "./keys.js";
import { html, render } from "./lib.js";
import { onArrival, read } from "./route.js";
import { set, settings } from "./settings.js";
import { Join } from "./shell/arrive.js";
import { Help, Menu } from "./shell/sheets.js";
import { Start } from "./shell/start.js";
import { drawWith, redraw, sheet, toast, ui } from "./state.js";
import { closeTable, openTable, TableScreen } from "./table.js";

function Page() {
  const { route } = ui;
  return html`
    ${route.page === "start" && html`<${Start} />`}
    ${route.page === "join" && html`<${Join} key=${route.code} code=${route.code} />`}
    ${route.page === "table" && ui.table && html`<${TableScreen} key=${route.id} table=${ui.table} />`}
    ${ui.sheet === "menu" && html`<${Menu} />`}
    ${ui.sheet === "help" && html`<${Help} />`}
    <div class="toasts" role="status">${ui.toast && html`<p class="toast" key=${ui.toast.id}>${ui.toast.text}</p>`}</div>`;
}

/** The newest drawing, or words and a way on where it failed. */
function draw() {
  const root = document.getElementById("app");
  if (root) render(html`<${Page} />`, root);
}

bind("page", () => [
  { key: "M", label: t("key.sound"), run: () => { set({ sound: !settings.sound }); toast(t(settings.sound ? "menu.sound.on" : "menu.sound.off")); } },
  { key: "?", label: t("key.help"), run: () => sheet("help") },
]);

onArrival((route) => {
  if (route.page === "table") openTable(route.id, route.code);
  else closeTable();
  document.title = "Quartet";
});

await load();
drawWith(draw);
read();
redraw();
