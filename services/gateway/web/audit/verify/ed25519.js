// Ed25519 (RFC 8032), verification only, in big integers: it works on every page, and a check makes one or two.
import { hex, pairs, sha512, same } from "./bytes.js";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
/** @typedef {[bigint, bigint, bigint, bigint]} Point x = X/Z, y = Y/Z, T = XY/Z */

/** @param {bigint} n */
const mod = (n) => ((n % P) + P) % P;

/** @param {bigint} base @param {bigint} exponent */
function power(base, exponent) {
  let found = 1n;
  for (let b = mod(base), e = exponent; e; e >>= 1n, b = (b * b) % P) if (e & 1n) found = (found * b) % P;
  return found;
}

const D = mod(-121665n * power(121666n, P - 2n));
const ROOT_OF_MINUS_1 = power(2n, (P - 1n) / 4n);

/** Whether the holder of this public key signed: [S]B = R + [h]A. @param {Uint8Array} key @param {Uint8Array} message @param {Uint8Array} signature */
export function verifies(key, message, signature) {
  const point = decompressed(key);
  if (!point || signature.length !== 64) return false;
  const scalar = little(signature.slice(32));
  if (scalar >= L) return false;
  const digest = new Uint8Array(64 + message.length);
  digest.set(signature.slice(0, 32));
  digest.set(key, 32);
  digest.set(message, 64);
  const [x, y, z, t] = point;
  return same(compressed(products(scalar, BASE, little(sha512(digest)) % L, [P - x, y, z, P - t])), signature.slice(0, 32));
}

/** @param {Uint8Array} bytes */
const little = (bytes) => BigInt(`0x${hex(bytes.slice().reverse())}`);

/** [a]p + [b]q, bit by bit together. @param {bigint} a @param {Point} p @param {bigint} b @param {Point} q */
function products(a, p, b, q) {
  /** @type {Point} */
  let total = [0n, 1n, 1n, 0n];
  const both = add(p, q);
  for (let bit = 252n; bit >= 0n; bit--) {
    total = add(total, total);
    const [one, other] = [(a >> bit) & 1n, (b >> bit) & 1n];
    if (one || other) total = add(total, one && other ? both : one ? p : q);
  }
  return total;
}

/** @param {Point} p @param {Point} q @returns {Point} */
function add(p, q) {
  const a = mod((p[1] - p[0]) * (q[1] - q[0]));
  const b = mod((p[1] + p[0]) * (q[1] + q[0]));
  const c = mod(2n * p[3] * q[3] * D);
  const d = mod(2n * p[2] * q[2]);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

/** @param {Point} p */
function compressed(p) {
  const inverse = power(p[2], P - 2n);
  const [x, y] = [mod(p[0] * inverse), mod(p[1] * inverse)];
  return pairs((y | ((x & 1n) << 255n)).toString(16).padStart(64, "0")).reverse();
}

/** @param {Uint8Array} bytes @returns {Point|null} */
function decompressed(bytes) {
  if (bytes.length !== 32) return null;
  const all = little(bytes);
  const [y, sign] = [all & ((1n << 255n) - 1n), all >> 255n];
  const square = mod((y * y - 1n) * power(D * y * y + 1n, P - 2n));
  let x = power(square, (P + 3n) / 8n);
  if (mod(x * x - square)) x = mod(x * ROOT_OF_MINUS_1);
  if (y >= P || mod(x * x - square) || (x === 0n && sign)) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

const BASE_Y = mod(4n * power(5n, P - 2n));
const BASE = /** @type {Point} */ (decompressed(pairs(BASE_Y.toString(16).padStart(64, "0")).reverse()));
