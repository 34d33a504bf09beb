// Chance (T-CHANCE-1): commitments, the round's key, the numbers of a label, and the shuffle.
import { big, hex, hmac, joined, sha256, utf8 } from "./bytes.js";

/** @param {string} table @param {number} round */
const place = (table, round) => joined(utf8(table), big(round, 8));

/** What is public from the first moment of the preparation. @param {Uint8Array} house @param {string} table @param {number} round */
export const commitment = (house, table, round) => hex(sha256(utf8("quartet/commit/1\0"), place(table, round), house));

/** What a seat's client commits to. @param {Uint8Array} entropy @param {string} table @param {number} round @param {number} seat */
export const entropyHash = (entropy, table, round, seat) => hex(sha256(utf8("quartet/entropy/1\0"), place(table, round), Uint8Array.of(seat), entropy));

/** From the house's bytes and those of every seat that revealed some. @param {Uint8Array} house @param {string} table @param {number} round @param {(Uint8Array|null)[]} entropy */
export function roundKey(house, table, round, entropy) {
  const brought = entropy.flatMap((bytes, seat) => (bytes ? [Uint8Array.of(seat, bytes.length), bytes] : []));
  return hmac(house, joined(utf8("quartet/key/1\0"), place(table, round), ...brought));
}

/** The numbers of one label under a key. */
export class Stream {
  /** @param {Uint8Array} key @param {string} label */
  constructor(key, label) {
    this.key = key;
    this.prefix = utf8(`${label}\0`);
    this.block = 0;
    /** @type {number[]} */
    this.words = [];
  }

  /** A number below n; words from the last, incomplete multiple of n are thrown away. @param {number} n */
  draw(n) {
    for (;;) {
      if (!this.words.length) {
        const bytes = hmac(this.key, joined(this.prefix, big(this.block++, 8)));
        const view = new DataView(bytes.buffer);
        this.words = Array.from({ length: 8 }, (_, i) => view.getUint32(4 * i));
      }
      const word = /** @type {number} */ (this.words.shift());
      if (word < Math.floor(2 ** 32 / n) * n) return word % n;
    }
  }

  /** Fisher-Yates, from the last place down. @template T @param {T[]} cards @returns {T[]} */
  shuffle(cards) {
    const order = [...cards];
    for (let last = order.length - 1; last > 0; last--) {
      const other = this.draw(last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }
}
