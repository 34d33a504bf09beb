// Runs the browser's check outside a browser. A line of the input is JSON: {"bundle": base64, "trust": text, "receipts": text};
// a line of the output is the report, or what of it could not be read.
import { createInterface } from "node:readline";

const here = process.argv[2];
const [{ check }, { readKeys, readReceipts }] = [await import(`${here}/check.js`), await import(`${here}/receipts.js`)];
for await (const line of createInterface({ input: process.stdin })) {
  const given = JSON.parse(line);
  let report;
  try {
    const beside = { trust: readKeys(given.trust ?? ""), receipts: readReceipts(given.receipts ?? "") };
    report = check(new Uint8Array(Buffer.from(given.bundle, "base64")), beside);
  } catch (problem) {
    report = { verdict: "unknown", kind: "input", detail: String(problem) };
  }
  console.log(JSON.stringify(report));
}
