// The packs there are and the one that is being loaded: what the server said of them, nothing judged here.
import { ask, asPlayer, send } from "../api.js";
import { me } from "../settings.js";
import { add, isPicture, named } from "./pictures.js";
import { redraw } from "../state.js";

/** @typedef {{game: string, rule: string, hash: string, name: string, language: string|null, shipped: boolean, pack: any}} Pack */
/** @typedef {{line: number, code: string, words: string}} Fault */

export const shelf = {
  /** @type {Pack[]|null} */ packs: null,
  /** @type {Pack|null} */ shown: null,
  /** A file that was refused, with its own lines. @type {{name: string, lines: string[], faults: Fault[]}|null} */ refused: null,
  /** The code of what went wrong besides. */ trouble: "",
  busy: false,
  /** The file that was chosen last: pictures may come after it. @type {File|null} */ file: null,
  /** The pictures that were sent, with what is wrong with some. @type {import("./pictures.js").Picture[]} */ pictures: [],
};

/** The page is left or opened anew. */
export function clear() {
  for (const { url } of shelf.pictures) URL.revokeObjectURL(url);
  Object.assign(shelf, { shown: null, refused: null, trouble: "", file: null, pictures: [] });
}

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

/** Files that were chosen or dropped: pictures first, then the pack that names them. @param {File[]} files @param {string} player who loads them */
export async function load(files, player) {
  if (shelf.busy) return;
  Object.assign(shelf, { busy: true, trouble: "" });
  redraw();
  for (const file of files.filter(isPicture)) {
    const one = await add(file, player || me.name);
    shelf.pictures = [...shelf.pictures.filter(({ name }) => name !== one.name), one];
    redraw();
  }
  const pack = files.find((file) => !isPicture(file));
  if (pack) shelf.file = pack;
  if (shelf.file && (pack || !shelf.shown)) await loadPack(shelf.file, player);
  shelf.busy = false;
  redraw();
}

/** The server takes a pack whole or tells every fault. @param {File} file @param {string} player */
async function loadPack(file, player) {
  const json = /\.json$/i.test(file.name) || file.type === "application/json";
  const bytes = await file.arrayBuffer().catch(() => null);
  if (!bytes) return void Object.assign(shelf, { file: null, trouble: "file_gone" }); // changed since it was chosen; a folder
  const path = json ? "/packs" : `/packs?name=${encodeURIComponent(called(file.name))}`;
  const body = shelf.pictures.length ? withPictures(bytes, json) : bytes;
  const answer = await asPlayer(player || me.name, () => send("POST", path, body, json ? "application/json" : "text/csv"));
  if (answer.ok) Object.assign(shelf, { shown: answer.value, refused: null });
  else if (Array.isArray(answer.detail?.faults)) Object.assign(shelf, { shown: null, refused: { name: called(file.name), lines: new TextDecoder().decode(bytes).split(/\r\n|\r|\n/), faults: answer.detail.faults } });
  else shelf.trouble = answer.code;
  if (answer.ok) list();
}

/** A file that is no text stays as it is: the server says what is wrong with it. @param {ArrayBuffer} bytes @param {boolean} json @returns {BodyInit} */
function withPictures(bytes, json) {
  try {
    return named(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), json, shelf.pictures);
  } catch {
    return bytes;
  }
}

/** What a file's pack is called where it has no name of its own: "my-animals.csv" is "My animals". @param {string} file */
function called(file) {
  const plain = file.replace(/\.[a-z]+$/i, "").replace(/[-_]+/g, " ").trim().slice(0, 60);
  return plain.charAt(0).toLocaleUpperCase() + plain.slice(1);
}
