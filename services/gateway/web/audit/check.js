// A bundle checked here, in this browser: the worker is asked, its progress and its verdict become the chip.
import { me } from "../settings.js";
import { redraw } from "../state.js";

/** @typedef {{state: "checking"|"done"|"unsealed"|"failed", percent: number, report: any, bytes: ArrayBuffer|null, name: string}} Check */

/** @param {string} name */
const fresh = (name) => /** @type {Check} */ ({ state: "checking", percent: 0, report: null, bytes: null, name });

/** The bundle that the service gives for a round. @param {import("./book.js").Book} book @returns {Check} */
export function checkRound(book) {
  const { table, round } = book.head;
  const check = fresh(`${table}-${round}.zip`);
  fetchBundle(table, round, book.code).then((bytes) => {
    if (bytes instanceof ArrayBuffer) run(check, bytes);
    else Object.assign(check, { state: bytes });
    redraw();
  });
  return check;
}

/** A file from anywhere: read here, sent nowhere. @param {File} file @returns {Check} */
export function checkFile(file) {
  const check = fresh(file.name);
  file.arrayBuffer().then((bytes) => run(check, bytes), () => { check.state = "failed"; redraw(); });
  return check;
}

/** @param {string} table @param {number} round @param {string|null} code @returns {Promise<ArrayBuffer|"unsealed"|"failed">} */
async function fetchBundle(table, round, code) {
  try {
    const headers = me.token ? { Authorization: `Bearer ${me.token}` } : undefined;
    const answer = await fetch(`/api/tables/${table}/rounds/${round}/bundle${code ? `?code=${encodeURIComponent(code)}` : ""}`, { headers });
    if (answer.ok) return answer.arrayBuffer();
    return (await answer.json().catch(() => ({}))).code === "not_sealed" ? "unsealed" : "failed";
  } catch {
    return "failed";
  }
}

/** @param {Check} check @param {ArrayBuffer} bytes */
function run(check, bytes) {
  check.bytes = bytes;
  const worker = new Worker("/audit/verify/worker.js", { type: "module" });
  worker.onmessage = ({ data }) => {
    if ("percent" in data) check.percent = data.percent;
    else { Object.assign(check, { state: "done", report: data.report }); worker.terminate(); }
    redraw();
  };
  worker.onerror = () => { check.state = "failed"; worker.terminate(); redraw(); };
  worker.postMessage(bytes);
}

/** Gives the bytes as a file. @param {Check} check */
export function save(check) {
  if (!check.bytes) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([check.bytes], { type: "application/zip" }));
  link.download = check.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
