// My bytes of a round's chance (T-CHANCE-1): committed when preparation begins, shown with Ready. They leave this page twice and no more.

/** @type {{round: number, table: string, bytes: Uint8Array}|null} */
let mine = null;

/** @param {any} table */
export async function commit(table) {
  const { round } = table.public;
  const known = mine !== null && mine.round === round && mine.table === table.id;
  if (known || !table.can("CommitEntropy")) return;
  mine = { round, table: table.id, bytes: crypto.getRandomValues(new Uint8Array(32)) };
  if (!crypto.subtle) return; // a page without https on another machine: then I bring none, and that is allowed
  const hash = await digest(table.id, round, table.seat, mine.bytes);
  const verdict = await table.send({ type: "CommitEntropy", hash });
  if (!verdict.accepted) mine = null;
}

/** @param {any} table @returns {{entropy?: string}} */
export function reveal(table) {
  if (!mine || !crypto.subtle || mine.round !== table.public.round || mine.table !== table.id) return {};
  return { entropy: hex(mine.bytes) };
}

/** SHA-256("quartet/entropy/1" | 0x00 | table | round u64 | seat u8 | bytes). @param {string} table @param {number} round @param {number} seat @param {Uint8Array} bytes */
async function digest(table, round, seat, bytes) {
  const text = new TextEncoder();
  const number = new DataView(new ArrayBuffer(8));
  number.setBigUint64(0, BigInt(round));
  const parts = [text.encode("quartet/entropy/1\0"), text.encode(table.toLowerCase()), new Uint8Array(number.buffer), Uint8Array.of(seat), bytes];
  const whole = new Uint8Array(parts.flatMap((part) => [...part]));
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", whole)));
}

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The beginning of a commitment, as people compare it. @param {string} hash */
export const grouped = (hash) => (hash.slice(0, 12).toUpperCase().match(/.{4}/g) ?? []).join("·");
