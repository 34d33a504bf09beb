// Bytes and digests: hex, base64, CRC-32, SHA-256, SHA-512 and HMAC, each at once and on any page, secure or not.

/** @param {...Uint8Array} parts */
export function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
  let place = 0;
  for (const one of parts) { all.set(one, place); place += one.length; }
  return all;
}

const encoder = new TextEncoder();
/** @param {string} text */
export const utf8 = (text) => encoder.encode(text);
/** @param {Uint8Array} bytes @returns {string} throws for what is not UTF-8 */
export const textOf = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Bytes of that length from lower-case hex; throws. @param {unknown} text @param {number} length */
export function unhex(text, length) {
  if (typeof text !== "string" || !new RegExp(`^[0-9a-f]{${2 * length}}$`).test(text)) throw new TypeError(`${text} is not ${length} bytes in hex`);
  return pairs(text);
}

/** @param {string} text of hex digits */
export const pairs = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Bytes of a text that is exactly their base64; throws. @param {string} text */
export function unbase64(text) {
  const found = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  if (base64(found) !== text) throw new TypeError("not in canonical base64");
  return found;
}
/** @param {Uint8Array} bytes */
export const base64 = (bytes) => btoa(String.fromCharCode(...bytes));

/** @param {Uint8Array} one @param {Uint8Array} other */
export const same = (one, other) => one.length === other.length && one.every((byte, i) => byte === other[i]);

/** @param {number} value @param {number} size in bytes, big-endian */
export function big(value, size) {
  const bytes = new Uint8Array(size);
  let rest = BigInt(value);
  for (let i = size - 1; i >= 0; i--) { bytes[i] = Number(rest & 255n); rest >>= 8n; }
  return bytes;
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n; });
/** @param {Uint8Array} bytes */
export function crc32(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = CRC[(sum ^ byte) & 255] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

// The constants are the first bits of the roots of the first primes (FIPS 180-4); computed, so that no typo can hide.
const PRIMES = Array.from({ length: 410 }, (_, n) => n).filter((n) => n > 1 && Array.from({ length: Math.floor(Math.sqrt(n)) - 1 }, (_, i) => i + 2).every((d) => n % d));
/** @param {bigint} n @param {bigint} degree the whole part of the root */
function root(n, degree) {
  let low = 0n;
  for (let bit = 1n << 80n; bit; bit >>= 1n) if ((low + bit) ** degree <= n) low += bit;
  return low;
}
/** @param {number} prime @param {bigint} degree 64 bits of the fraction of its root */
const fraction = (prime, degree) => root(BigInt(prime) << (64n * degree), degree) & 0xffffffffffffffffn;
const K512 = PRIMES.slice(0, 80).map((prime) => fraction(prime, 3n));
const H512 = PRIMES.slice(0, 8).map((prime) => fraction(prime, 2n));
const K256 = Uint32Array.from(K512.slice(0, 64), (one) => Number(one >> 32n));
const H256 = Uint32Array.from(H512, (one) => Number(one >> 32n));

/** @param {Uint8Array} bytes @param {number} block */
function padded(bytes, block) {
  const size = Math.ceil((bytes.length + 1 + block / 8) / block) * block;
  const all = new Uint8Array(size);
  all.set(bytes);
  all[bytes.length] = 0x80;
  all.set(big(bytes.length * 8, 8), size - 8);
  return new DataView(all.buffer);
}

/** @param {number} x @param {number} n */
const turn = (x, n) => (x >>> n) | (x << (32 - n));

/** @param {...Uint8Array} parts */
export function sha256(...parts) {
  const data = padded(parts.length === 1 ? parts[0] : joined(...parts), 64);
  const state = H256.slice();
  const w = new Uint32Array(64);
  for (let block = 0; block < data.byteLength; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = data.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K256[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((one, i) => { state[i] += one; });
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((one, i) => out.setUint32(4 * i, one));
  return new Uint8Array(out.buffer);
}

const ALL = 0xffffffffffffffffn;
/** @param {bigint} x @param {bigint} n */
const turn64 = (x, n) => ((x >> n) | (x << (64n - n))) & ALL;

/** For signatures only: a few blocks, so that big integers do. @param {Uint8Array} bytes */
export function sha512(bytes) {
  const data = padded(bytes, 128);
  const state = H512.slice();
  for (let block = 0; block < data.byteLength; block += 128) {
    const w = Array.from({ length: 16 }, (_, i) => data.getBigUint64(block + 8 * i));
    for (let i = 16; i < 80; i++) {
      const s0 = turn64(w[i - 15], 1n) ^ turn64(w[i - 15], 8n) ^ (w[i - 15] >> 7n);
      const s1 = turn64(w[i - 2], 19n) ^ turn64(w[i - 2], 61n) ^ (w[i - 2] >> 6n);
      w.push((w[i - 16] + s0 + w[i - 7] + s1) & ALL);
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 80; i++) {
      const one = (h + (turn64(e, 14n) ^ turn64(e, 18n) ^ turn64(e, 41n)) + ((e & f) ^ (~e & ALL & g)) + K512[i] + w[i]) & ALL;
      const two = ((turn64(a, 28n) ^ turn64(a, 34n) ^ turn64(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c))) & ALL;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) & ALL, c, b, a, (one + two) & ALL];
    }
    [a, b, c, d, e, f, g, h].forEach((one, i) => { state[i] = (state[i] + one) & ALL; });
  }
  const out = new DataView(new ArrayBuffer(64));
  state.forEach((one, i) => out.setBigUint64(8 * i, one));
  return new Uint8Array(out.buffer);
}

/** HMAC-SHA256. @param {Uint8Array} key of at most 64 bytes @param {Uint8Array} message */
export function hmac(key, message) {
  const pad = (/** @type {number} */ byte) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ byte);
  return sha256(pad(0x5c), sha256(pad(0x36), message));
}
