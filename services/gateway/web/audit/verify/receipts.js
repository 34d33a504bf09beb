// Kept verdicts beside a bundle: each signed receipt is for a record of this round, and of what kind, or proves that it was cut.
import { unbase64, unhex, utf8 } from "./bytes.js";
import { verifies } from "./ed25519.js";
import { canonical, isNumber, isObject } from "./json.js";
import { included, Key } from "./seal.js";

/** @typedef {{receipt: any, version: number|null, key: string|null, accepted: boolean|null}} Vouched */

/** Of each that is for this round, what became of it. @param {any[]} held @param {any} manifest @param {import("./round.js").Round} played @param {Key[]} known */
export function vouchers(held, manifest, played, known) {
  const own = held.filter((one) => isOf(one, manifest));
  return { own: own.map((one) => vouched(one, played, known)), others: held.length - own.length };
}

/** Whether a kept verdict's note names its table and round. @param {any} held */
export const saysWhere = (held) => isObject(held) && isObject(held.signed) && ["table", "round"].every((name) => (held.signed[name] ?? null) !== null);

/** Signed, and for this round as its note says; without a note it is taken to be. @param {any} held @param {any} manifest */
function isOf(held, manifest) {
  const signed = isObject(held) ? held.signed : null;
  return isObject(signed) && ["table", "round"].every((name) => [null, undefined, manifest[name]].includes(signed[name]));
}

/** @param {any} held @param {import("./round.js").Round} played @param {Key[]} known @returns {Vouched} */
function vouched(held, played, known) {
  const receipt = held.receipt ?? null;
  const [version] = [...played.hashes].find(([, hash]) => hash === receipt) ?? [null];
  const key = receiptKey(receipt, held.signed, known);
  return { receipt, version, key: key && String(key), accepted: version === null ? null : played.accepted.get(version) ?? null };
}

/** Which known key vouches that a record with this hash was committed; null: nobody does. @param {any} receipt @param {any} signed @param {Key[]} known */
export function receiptKey(receipt, signed, known) {
  try {
    const [hashed, root] = [unhex(receipt, 32), unhex(signed.root, 32)];
    const path = signed.path.map((/** @type {string} */ step) => unhex(step, 32));
    const { instance, n, partition } = signed;
    if ([instance, n, partition].includes(undefined) || !isNumber(signed.index) || !isNumber(signed.size)) return null;
    if (!included(hashed, signed.index, signed.size, path, root)) return null;
    const key = known.find((one) => String(one) === signed.key);
    const message = utf8(`quartet/receipt/1\n${canonical({ instance, n, partition, root: signed.root })}`);
    return key && verifies(key.bytes, message, unbase64(signed.signature)) ? key : null;
  } catch {
    return null;
  }
}

/** A JSON array of verdicts, or one a line; throws. @param {string} text @returns {any[]} */
export function readReceipts(text) {
  if (text.trimStart().startsWith("[")) return JSON.parse(text);
  return text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
}

/** Public keys, apart by blanks or lines; throws. @param {string} text */
export const readKeys = (text) => text.split(/\s+/).filter(Boolean).map((one) => Key.parse(one));
