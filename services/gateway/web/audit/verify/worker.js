// The check, off the page's thread: bytes and what lies beside them in, percents and at last the report out.
import { check, checkAll } from "./check.js";
import { readKeys, readReceipts } from "./receipts.js";
import { roundOf } from "./zip.js";

const scope = /** @type {any} */ (self);

scope.onmessage = (/** @type {{data: {bundles: ArrayBuffer[], trust: string[], receipts: string[]}}} */ { data }) => {
  const trust = taken("trust", data.trust, readKeys);
  const receipts = taken("receipts", data.receipts, readReceipts);
  if (!trust || !receipts) return;
  let said = 0;
  const tell = (/** @type {number} */ done, /** @type {number} */ all) => {
    const percent = Math.floor((100 * done) / all);
    if (percent > said) scope.postMessage({ percent: said = percent });
  };
  const files = data.bundles.map((bytes) => new Uint8Array(bytes));
  if (files.length === 1) return scope.postMessage({ reports: [check(files[0], { trust, receipts }, tell)] });
  const inOrder = files.map((file) => ({ file, round: roundOf(file) })).sort((a, b) => (a.round < b.round ? -1 : a.round > b.round ? 1 : 0));
  scope.postMessage({ reports: checkAll(inOrder.map(({ file }) => file), { trust, receipts }, tell) });
};

/** What lies beside; what can't be read is said, and nothing is claimed. @param {string} kind @param {string[]} texts @param {(text: string) => any[]} read @returns {any[]|null} */
function taken(kind, texts, read) {
  try {
    return texts.flatMap(read);
  } catch (problem) {
    scope.postMessage({ unread: { kind, detail: problem instanceof Error ? problem.message : String(problem) } });
    return null;
  }
}
