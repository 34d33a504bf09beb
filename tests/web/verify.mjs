// Runs the browser's check outside a browser: bundles in base64, one a line of the input; a report a line of the output.
import { createInterface } from "node:readline";

const { check } = await import(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(check(new Uint8Array(Buffer.from(line, "base64")))));
}
