// The packs there are and the one that is being loaded: what the server said of them, nothing judged here.
import { ask, asPlayer, send } from "../api.js";
import { me } from "../settings.js";
import { redraw } from "../state.js";

/** @typedef {{game: string, rule: string, hash: string, name: string, language: string|null, shipped: boolean, pack: any}} Pack */
/** @typedef {{line: number, code: string, words: string}} Fault */

export const shelf = {
  /** @type {Pack[]|null} */ packs: null,
  /** @type {Pack|null} */ shown: null,
  /** A file that was refused, with its own lines. @type {{name: string, lines: string[], faults: Fault[]}|null} */ refused: null,
  /** The code of what went wrong besides. */ trouble: "",
  busy: false,
};

export async function list() {
  const answer = await ask("GET", "/packs");
  if (answer.ok) shelf.packs = answer.value;
  else shelf.trouble = answer.code;
  redraw();
}

/** Shows a pack with its families. @param {Pack} pack */
export async function look(pack) {
  const answer = await ask("GET", `/packs/${pack.hash}`);
  if (answer.ok) Object.assign(shelf, { shown: { ...pack, pack: answer.value.pack }, refused: null, trouble: "" });
  else shelf.trouble = answer.code;
  redraw();
}

/** A file that was chosen or dropped: the server takes it whole or tells every fault. @param {File} file @param {string} player who loads it */
export async function load(file, player) {
  if (shelf.busy) return;
  Object.assign(shelf, { busy: true, trouble: "" });
  redraw();
  const json = /\.json$/i.test(file.name) || file.type === "application/json";
  const bytes = await file.arrayBuffer();
  const path = json ? "/packs" : `/packs?name=${encodeURIComponent(called(file.name))}`;
  const answer = await asPlayer(player || me.name, () => send("POST", path, bytes, json ? "application/json" : "text/csv"));
  shelf.busy = false;
  if (answer.ok) Object.assign(shelf, { shown: answer.value, refused: null });
  else if (Array.isArray(answer.detail?.faults)) Object.assign(shelf, { shown: null, refused: { name: called(file.name), lines: new TextDecoder().decode(bytes).split(/\r\n|\r|\n/), faults: answer.detail.faults } });
  else shelf.trouble = answer.code;
  if (answer.ok) list();
  redraw();
}

/** What a file's pack is called where it has no name of its own: "my-animals.csv" is "My animals". @param {string} file */
function called(file) {
  const plain = file.replace(/\.[a-z]+$/i, "").replace(/[-_]+/g, " ").trim().slice(0, 60);
  return plain.charAt(0).toLocaleUpperCase() + plain.slice(1);
}
