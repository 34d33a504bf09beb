// This browser is a witness: it keeps the newest checkpoint it saw of the site's log, and the next must be proven to
// contain it. A log that was rewritten contradicts what is kept here; both signed notes are then kept as evidence.
import { ask } from "../api.js";
import { unhex } from "./verify/bytes.js";
import { consistent } from "./verify/consistency.js";
import { Key, readCheckpoint } from "./verify/seal.js";

const [SEEN, BROKEN, NOTES_MAX] = ["quartet.checkpoints", "quartet.contradiction", 8];
/** @typedef {{size: number, root: Uint8Array, origin: string, note: string}} Seen */

/** @returns {string[]} notes, the newest first: one a log, since a log with another key is another log */
export const kept = () => read(SEEN) ?? [];
/** Two signed notes of which at most one can be true. @returns {{before: string, after: string, at: number}|null} */
export const contradiction = () => read(BROKEN);

/** @type {Promise<boolean>} */
let turn = Promise.resolve(true);
/** One after the other; false: it contradicts what was seen. @param {string} note @returns {Promise<boolean>} */
export const saw = (note) => (turn = turn.then(() => (note === kept()[0] ? true : look(note)), () => true));

/** @param {string} note */
async function look(note) {
  const published = await ask("GET", "/keys");
  if (!published.ok) return true;
  const keys = published.value.keys.map(Key.parse);
  const now = opened(note, keys);
  if (!now) return true;
  const before = kept().map((one) => opened(one, keys)).find((one) => one?.origin === now.origin);
  if (!before) return keep(note, null);
  const [old, late] = before.size <= now.size ? [before, now] : [now, before];
  const proof = old.size === late.size ? [] : await proofOf(old.size, late.size);
  if (proof === null) return true; // nobody answers, or not yet: asked again with the next
  if (consistent(old, late, proof)) return keep(late.note, before.note);
  if (!contradiction()) write(BROKEN, { before: before.note, after: note, at: Date.now() });
  return false;
}

/** @param {number} from @param {number} to @returns {Promise<Uint8Array[]|null>} */
async function proofOf(from, to) {
  const answer = await ask("GET", `/consistency?from=${from}&to=${to}`);
  return answer.ok ? answer.value.proof.map((/** @type {string} */ step) => unhex(step, 32)) : null;
}

/** Null for what none of the published keys signed. @param {string} note @param {Key[]} keys @returns {Seen|null} */
function opened(note, keys) {
  try { const { size, root, origin } = readCheckpoint(note, keys); return size > 0 ? { size, root, origin, note } : null; } catch { return null; }
}

/** @param {string} note @param {string|null} instead */
function keep(note, instead) {
  write(SEEN, [note, ...kept().filter((one) => one !== instead && one !== note)].slice(0, NOTES_MAX));
  return true;
}

/** @param {string} name */
function read(name) {
  try { return JSON.parse(localStorage.getItem(name) ?? "null"); } catch { return null; }
}

/** @param {string} name @param {unknown} value */
function write(name, value) {
  try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* private mode: nothing is witnessed */ }
}
