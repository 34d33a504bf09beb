// Keys, signed notes, checkpoints and Merkle proofs (C2SP, RFC 9162): that the head of a round's chain is in the log.
import { base64, hex, joined, same, sha256, unbase64, unhex, utf8 } from "./bytes.js";
import { verifies } from "./ed25519.js";
import { canonical, Wrong } from "./json.js";

const ENDS = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;
const NAME_OF_KEY = /^[^+\0-\x20\x7f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/; // no blank of any kind, nothing that moves a cursor
const DIGITS_MAX = 16;

/** A public key and its name; as text `<name>+<8 hex digits>+<base64 of 0x01 and the key>`. */
export class Key {
  /** @param {string} name @param {Uint8Array} bytes */
  constructor(name, bytes) {
    this.name = name;
    this.bytes = bytes;
    this.id = sha256(joined(utf8(`${name}\n`), Uint8Array.of(1), bytes)).slice(0, 4);
  }

  toString() { return `${this.name}+${hex(this.id)}+${base64(joined(Uint8Array.of(1), this.bytes))}`; }

  /** Throws for what is no Ed25519 key or has another id. @param {string} text */
  static parse(text) {
    const bare = text.replace(ENDS, "");
    const parts = bare.match(/^([^+]*)\+([^+]*)\+([^]*)$/);
    const raw = parts ? unbase64(parts[3]) : new Uint8Array();
    const key = new Key(parts?.[1] ?? "", raw.slice(1));
    if (raw.length !== 33 || raw[0] !== 1 || String(key) !== bare || !NAME_OF_KEY.test(key.name)) throw new TypeError(`${text} is not a key`);
    return key;
  }
}

/** @typedef {{origin: string, size: number, root: Uint8Array, key: Key}} Checkpoint */

/** The checkpoint in a signed note. @param {string} note @param {Key[]} known @returns {Checkpoint} throws Wrong */
export function readCheckpoint(note, known) {
  let found;
  try {
    const { text, key } = openNote(note, known);
    const [origin, size, root] = text.split("\n");
    if (root === undefined || size.length > DIGITS_MAX || !/^\s*[+-]?\d+\s*$/.test(size)) throw new TypeError("no size");
    found = { origin, size: Number(size), root: unbase64(root), key, said: size };
  } catch (problem) {
    throw new Wrong("seal", `checkpoint: ${problem instanceof Error ? problem.message : problem}`);
  }
  if (!found.origin || String(found.size) !== found.said || found.size < 0 || found.root.length !== 32) throw new Wrong("seal", "a checkpoint is an origin, a size and a root of 32 bytes");
  if (found.origin !== found.key.name) throw new Wrong("seal", "the checkpoint is of another log than the key's");
  return found;
}

/** @param {string} note @param {Key[]} known */
function openNote(note, known) {
  const gap = note.lastIndexOf("\n\n");
  if (gap < 0 || !note.endsWith("\n") || note.length === gap + 2) throw new TypeError("no signature");
  const text = note.slice(0, gap + 1);
  /** @type {Key|null} */
  let signer = null;
  for (const line of note.slice(gap + 2, -1).split("\n")) {
    const blank = line.lastIndexOf(" ");
    const name = line.slice(2, Math.max(2, blank));
    const signature = unbase64(line.slice(blank + 1));
    if (!line.startsWith("\u2014 ") || !name || signature.length < 5) throw new TypeError("a signature's line is malformed");
    const key = known.find((one) => one.name === name && same(one.id, signature.slice(0, 4)));
    if (key && !verifies(key.bytes, utf8(text), signature.slice(4))) throw new TypeError(`the signature of ${name} does not fit`);
    signer ??= key ?? null;
  }
  if (!signer) throw new TypeError("signed by no known key");
  return { text, key: signer };
}

/** Whether the proof leads from the leaf at `index` to the root over `size` leaves (RFC 9162, 2.1.3.2). @param {Uint8Array} leaf @param {number} index @param {number} size @param {Uint8Array[]} proof @param {Uint8Array} root */
export function included(leaf, index, size, proof, root) {
  if (!(index >= 0 && index < size)) return false;
  let [place, last, found] = [index, size - 1, sha256(Uint8Array.of(0), leaf)];
  for (const step of proof) {
    if (last === 0) return false;
    if (place % 2 || place === last) {
      found = sha256(Uint8Array.of(1), step, found);
      while (place && place % 2 === 0) [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
    } else found = sha256(Uint8Array.of(1), found, step);
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 && same(found, root);
}

/** The head of the round's chain is in the log that the checkpoint describes; who of those to trust signs it. @param {import("./zip.js").Bundle} bundle @param {Uint8Array} head @param {number} version @param {Key[]} trust */
export function checkSeal({ manifest, seal, note, keys }, head, version, trust) {
  const leaf = canonical({ head: hex(head), round: manifest.round, table: manifest.table, version });
  const trusted = keys.filter((key) => trust.some((one) => String(one) === String(key)));
  const checkpoint = readCheckpoint(note, trusted.length ? trusted : keys);
  if (seal.leaf !== leaf) throw new Wrong("seal", "the sealed leaf is another round's, or names another head");
  if (seal.size !== checkpoint.size) throw new Wrong("seal", "the proof is for a tree of another size than the checkpoint's");
  const proof = seal.proof.map((/** @type {string} */ step) => unhex(step, 32));
  if (!included(utf8(leaf), seal.index, seal.size, proof, checkpoint.root)) throw new Wrong("seal", "the inclusion proof does not lead to the checkpoint's root");
  return checkpoint;
}
