// What the start page does without, in one piece: fetched as soon as somebody touches that page.
export * as packs from "./packs/page.js";
export * as sheets from "./shell/sheets.js";
export * as table from "./table.js";
