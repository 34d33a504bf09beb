// The check, off the page's thread: bytes and what lies beside them in, percents and at last the report out.
import { check } from "./check.js";
import { readKeys, readReceipts } from "./receipts.js";

const scope = /** @type {any} */ (self);

scope.onmessage = (/** @type {{data: {bytes: ArrayBuffer, trust: string[], receipts: string[]}}} */ { data }) => {
  const trust = taken("trust", data.trust, readKeys);
  const receipts = taken("receipts", data.receipts, readReceipts);
  if (!trust || !receipts) return;
  let said = 0;
  const report = check(new Uint8Array(data.bytes), { trust, receipts }, (done, all) => {
    const percent = Math.floor((100 * done) / all);
    if (percent > said) scope.postMessage({ percent: said = percent });
  });
  scope.postMessage({ report });
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
