// That the log of one checkpoint begins with the log of an earlier one (RFC 9162, 2.1.4.2).
import { same, sha256 } from "./bytes.js";

/** @typedef {{size: number, root: Uint8Array}} Log */

/** @param {Log} old @param {Log} late @param {Uint8Array[]} proof */
export function consistent(old, late, proof) {
  if (old.size < 1 || old.size > late.size) return false;
  if (old.size === late.size) return proof.length === 0 && same(old.root, late.root);
  const steps = Number.isInteger(Math.log2(old.size)) ? [old.root, ...proof] : proof;
  if (!steps.length) return false;
  let [first, second] = [old.size - 1, late.size - 1];
  while (first % 2) [first, second] = [Math.floor(first / 2), Math.floor(second / 2)];
  let [before, after] = [steps[0], steps[0]];
  for (const step of steps.slice(1)) {
    if (second === 0) return false;
    if (first % 2 || first === second) {
      before = sha256(Uint8Array.of(1), step, before);
      after = sha256(Uint8Array.of(1), step, after);
      while (first && first % 2 === 0) [first, second] = [Math.floor(first / 2), Math.floor(second / 2)];
    } else after = sha256(Uint8Array.of(1), after, step);
    [first, second] = [Math.floor(first / 2), Math.floor(second / 2)];
  }
  return second === 0 && same(before, old.root) && same(after, late.root);
}
