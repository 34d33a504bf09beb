// The signed receipts of this device's own commands, kept for /audit and for `quartet check --receipts`: hashes and
// signatures, no card and no name. In IndexedDB: it writes one at a time and off the page's thread, apart from the little
// room of localStorage, where who I am must fit. Where nothing may be stored nothing is kept, and play never hears of it.

/** @typedef {{receipt: string, signed: import("./types.js").Signed}} Kept */

const [NAME, STORE, ROUND] = ["quartet.receipts", "receipts", "round"];
const ROUNDS_MAX = 20;
const RECEIPTS_MAX = 3000; // each about a kilobyte: the path in a commit of 512 records has nine hashes
const PATIENCE_MS = 2000; // some browsers never say that nothing may be stored

/** @type {Promise<IDBDatabase>|null} */
let opened = null;
/** Rounds that this page has made room for. @type {Set<string>} */
const begun = new Set();

/** Keeps what a verdict brings; the oldest go first. A verdict that came twice is kept once. @param {import("./types.js").Verdict} verdict */
export async function keep({ receipt, signed }) {
  if (!receipt || !signed || signed.round < 1) return; // what came before the first round is in no bundle
  try {
    const store = (await open()).transaction(STORE, "readwrite").objectStore(STORE);
    await answer(store.add({ receipt, signed }));
    const round = `${signed.table} ${signed.round}`;
    if (!begun.has(round)) await dropRounds(store);
    begun.add(round);
    const over = (await answer(store.count())) - RECEIPTS_MAX;
    if (over > 0) drop(store, await answer(store.getAllKeys(null, over)));
  } catch { /* full, forbidden, or kept already */ }
}

/** What is kept of a round, the oldest first. @param {string} table @param {number} round @returns {Promise<Kept[]>} */
export function keptOf(table, round) {
  const late = new Promise((resolve) => { setTimeout(resolve, PATIENCE_MS, []); });
  return Promise.race([find(table, round).catch(() => []), late]);
}

/** As a file that `quartet check --receipts` takes. @param {Kept[]} kept */
export const asFile = (kept) => `[\n${kept.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`;

/** @param {string} table @param {number} round @returns {Promise<Kept[]>} */
async function find(table, round) {
  const store = (await open()).transaction(STORE).objectStore(STORE);
  return answer(store.index(ROUND).getAll([table, round]));
}

/** @returns {Promise<IDBDatabase>} */
function open() {
  return (opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => {
      const store = asked.result.createObjectStore(STORE, { autoIncrement: true });
      store.createIndex("receipt", "receipt", { unique: true });
      store.createIndex(ROUND, ["signed.table", "signed.round"]);
    };
    asked.onsuccess = () => {
      const base = asked.result;
      base.onclose = () => { opened = null; };
      base.onversionchange = () => { base.close(); opened = null; };
      resolve(base);
    };
    asked.onerror = () => reject(asked.error);
  }));
}

/** All of the oldest rounds, where there are too many. @param {IDBObjectStore} store */
async function dropRounds(store) {
  const rounds = (await firsts(store)).sort((a, b) => a.first - b.first);
  for (const { round } of rounds.slice(0, Math.max(0, rounds.length - ROUNDS_MAX)))
    drop(store, await answer(store.index(ROUND).getAllKeys(round)));
}

/** Each round with the key of its first receipt. @param {IDBObjectStore} store @returns {Promise<{round: IDBValidKey, first: number}[]>} */
function firsts(store) {
  /** @type {{round: IDBValidKey, first: number}[]} */
  const found = [];
  const asked = store.index(ROUND).openKeyCursor(null, "nextunique");
  return new Promise((resolve, reject) => {
    asked.onerror = () => reject(asked.error);
    asked.onsuccess = () => {
      const cursor = asked.result;
      if (!cursor) return resolve(found);
      found.push({ round: cursor.key, first: Number(cursor.primaryKey) });
      cursor.continue();
    };
  });
}

/** @param {IDBObjectStore} store @param {IDBValidKey[]} keys */
const drop = (store, keys) => keys.forEach((key) => store.delete(key));

/** @template T @param {IDBRequest<T>} asked @returns {Promise<T>} */
const answer = (asked) => new Promise((resolve, reject) => {
  asked.onsuccess = () => resolve(asked.result);
  asked.onerror = () => reject(asked.error);
});
