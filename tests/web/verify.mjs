// Runs the browser's check outside a browser. A line of the input is JSON: {"bundle": base64, or "bundles": a list of
// them, "trust": text, "receipts": text}; a line of the output is the report, or their list, or what could not be read.
// {"consistent": [{"size", "root"}, {"size", "root"}, proof]}, all bytes in hex, is answered with true or false.
import { createInterface } from "node:readline";

const here = process.argv[2];
const [{ check, checkAll }, { readKeys, readReceipts }] = [await import(`${here}/check.js`), await import(`${here}/receipts.js`)];
const { consistent } = await import(`${here}/consistency.js`);
const log = ({ size, root }) => ({ size, root: hex(root) });
const hex = (text) => new Uint8Array(Buffer.from(text, "hex"));
const bytes = (base64) => new Uint8Array(Buffer.from(base64, "base64"));
for await (const line of createInterface({ input: process.stdin })) {
  const { bundle, bundles, trust, receipts, consistent: asked } = JSON.parse(line);
  if (asked) {
    console.log(JSON.stringify(consistent(log(asked[0]), log(asked[1]), asked[2].map(hex))));
    continue;
  }
  let report;
  try {
    const beside = { trust: readKeys(trust ?? ""), receipts: readReceipts(receipts ?? "") };
    report = bundles ? checkAll(bundles.map(bytes), beside) : check(bytes(bundle), beside);
  } catch (problem) {
    report = { verdict: "unknown", kind: "input", detail: String(problem) };
  }
  console.log(JSON.stringify(report));
}
