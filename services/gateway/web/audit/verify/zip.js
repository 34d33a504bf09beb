// The archive and what is in it (docs/bundle.md): six stored entries, nothing else, and each as the manifest says.
import { crc32, hex, joined, same, sha256, textOf, unhex, utf8 } from "./bytes.js";
import { CannotTell, canonical, hasExactly, isNumber, isObject, parse, Wrong } from "./json.js";
import { Key } from "./seal.js";

const NAMES = ["checkpoint.txt", "keys.json", "manifest.json", "margins.json", "records.ndjson", "seal.json"];
const FORMAT = "quartet/bundle/1";
const BYTES_MAX = 64 * 1024 * 1024;
const MANIFEST = ["commits", "files", "first", "format", "game", "head", "last", "previous", "revision", "round", "table"];

/** @typedef {{manifest: any, lines: Uint8Array[], margins: any[], seal: any, note: string, keys: Key[]}} Bundle */

/** @param {Uint8Array} data @param {(game: string) => boolean} knows @param {number} revision @returns {Bundle} throws Wrong, CannotTell */
export function readBundle(data, knows, revision) {
  const files = unzip(data);
  try {
    const read = (/** @type {string} */ name) => parse(textOf(files[name]));
    const [manifest, margins, seal] = [read("manifest.json"), read("margins.json"), read("seal.json")];
    const texts = read("keys.json");
    const keys = texts.map((/** @type {string} */ text) => Key.parse(text));
    if (keys.some((key, i) => String(key) !== texts[i])) throw new TypeError("a key is not written as keys are");
    checkManifest(manifest, files, knows, revision);
    checkSealForm(seal);
    return { manifest, lines: lines(files["records.ndjson"]), margins, seal, note: textOf(files["checkpoint.txt"]), keys };
  } catch (problem) {
    if (problem instanceof CannotTell || problem instanceof Wrong) throw problem;
    throw new Wrong("bundle", `not a bundle: ${problem instanceof Error ? problem.message : problem}`);
  }
}

/** Which round it says it is of, to put bundles in order; unreadable ones last. @param {Uint8Array} data @returns {number} */
export function roundOf(data) {
  try { return Number(parse(textOf(unzip(data)["manifest.json"])).round) || Infinity; } catch { return Infinity; }
}

/** That there is nothing else shows when the entries are put together again. @param {Uint8Array} data */
function unzip(data) {
  if (data.length > BYTES_MAX) throw new Wrong("bundle", `larger than ${BYTES_MAX} bytes`);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  /** @type {Record<string, Uint8Array>} */
  const files = {};
  let offset = 0;
  for (const name of NAMES) {
    if (data.length < offset + 30) throw new Wrong("bundle", `not a bundle, or cut off before ${name}`);
    const size = view.getUint32(offset + 18, true);
    offset += 30 + name.length;
    files[name] = data.slice(offset, offset + size);
    offset += size;
  }
  if (!same(zipped(files), data)) throw new Wrong("bundle", "the archive is not in its one canonical form");
  return files;
}

/** The archive of these files: stored, sorted by name, dated 1980, nothing extra. @param {Record<string, Uint8Array>} files */
function zipped(files) {
  /** @type {Uint8Array[]} */ const body = [];
  /** @type {Uint8Array[]} */ const directory = [];
  let place = 0;
  for (const name of NAMES) {
    const content = files[name];
    /** @type {[number, number][]} */
    const common = [[20, 2], [0, 2], [0, 2], [0, 2], [0x21, 2], [crc32(content), 4], [content.length, 4], [content.length, 4], [name.length, 2], [0, 2]];
    const entry = joined(fields([[0x04034b50, 4], ...common]), utf8(name), content);
    body.push(entry);
    directory.push(fields([[0x02014b50, 4], [20 | (3 << 8), 2], ...common, [0, 2], [0, 2], [0, 2], [0o644 * 65536, 4], [place, 4]]), utf8(name));
    place += entry.length;
  }
  const central = joined(...directory);
  const end = fields([[0x06054b50, 4], [0, 2], [0, 2], [NAMES.length, 2], [NAMES.length, 2], [central.length, 4], [place, 4], [0, 2]]);
  return joined(...body, central, end);
}

/** Numbers, little-endian, each with its size. @param {[number, number][]} numbers */
function fields(numbers) {
  const bytes = new Uint8Array(numbers.reduce((sum, [, size]) => sum + size, 0));
  let place = 0;
  for (const [value, size] of numbers) for (let i = 0; i < size; i++) bytes[place++] = Math.floor(value / 256 ** i) % 256;
  return bytes;
}

/** @param {Uint8Array} records */
function lines(records) {
  if (records.at(-1) !== 10) throw new TypeError("the last record does not end in a newline");
  const found = [];
  for (let from = 0; from < records.length;) {
    const end = records.indexOf(10, from);
    found.push(records.slice(from, end));
    from = end + 1;
  }
  return found;
}

/** @param {any} manifest @param {Record<string, Uint8Array>} files @param {(game: string) => boolean} knows @param {number} revision */
function checkManifest(manifest, files, knows, revision) {
  if (!isObject(manifest)) throw new TypeError("the manifest is no object");
  const format = String(manifest.format);
  if (format !== FORMAT && format.startsWith("quartet/bundle/")) throw new CannotTell(`this program reads ${FORMAT}, not ${format}`);
  if (manifest.format !== FORMAT || !hasExactly(manifest, MANIFEST)) throw new TypeError("the manifest does not have the fields of its format");
  const sizes = Object.fromEntries(NAMES.filter((name) => name !== "manifest.json").map((name) => [name, { bytes: files[name].length, sha256: hex(sha256(files[name])) }]));
  if (canonical(manifest.files) !== canonical(sizes)) throw new TypeError("a file is not what the manifest says");
  if (!knows(manifest.game) || manifest.revision !== revision) throw new CannotTell(`this program does not know ${manifest.game} by revision ${manifest.revision} of the rules`);
  unhex(manifest.previous, 32);
  unhex(manifest.head, 32);
  for (const commit of manifest.commits) {
    if (!isObject(commit) || !hasExactly(commit, ["at", "epoch", "last", "n"]) || !Object.values(commit).every(isNumber)) throw new TypeError("a commit is not one");
  }
}

/** @param {any} seal */
function checkSealForm(seal) {
  const fits = isObject(seal) && hasExactly(seal, ["index", "leaf", "proof", "size"]) && isNumber(seal.index) && isNumber(seal.size) && typeof seal.leaf === "string";
  if (!fits || !Array.isArray(seal.proof)) throw new TypeError("the seal is not one");
  for (const step of seal.proof) unhex(step, 32);
}
