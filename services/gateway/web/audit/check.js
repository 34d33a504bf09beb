// A bundle checked here, in this browser, with what lies beside it: the worker is asked, its verdict becomes the chip.
import { asFile, keptOf } from "../receipts.js";
import { me } from "../settings.js";
import { redraw } from "../state.js";

/** @typedef {{kind: string, detail: string}} Unread receipts or keys that are none */
/** @typedef {{state: "waiting"|"checking"|"done"|"unsealed"|"failed", percent: number, report: any, reports: any[], bundles: ArrayBuffer[], name: string, trust: string[], receipts: string[], own: import("../receipts.js").Kept[], beside: string[], unread: Unread|null, worker: Worker|null}} Check */

/** @param {string} name @returns {Check} */
const fresh = (name) => ({ state: "checking", percent: 0, report: null, reports: [], bundles: [], name, trust: [], receipts: [], own: [], beside: [], unread: null, worker: null });

/** The bundle that the service gives for a round, with the receipts of it that this device keeps. @param {import("./book.js").Book} book @returns {Check} */
export function checkRound(book) {
  const { table, round } = book.head;
  const check = fresh(`${table}-${round}.zip`);
  Promise.all([fetchBundle(table, round, book.code), keptOf(table, round)]).then(([bytes, own]) => {
    check.own = own;
    if (bytes instanceof ArrayBuffer) run(Object.assign(check, { bundles: [bytes] }));
    else Object.assign(check, { state: bytes });
    redraw();
  });
  return check;
}

/** Files from anywhere, read here and sent nowhere: bundles, receipts, keys; with what there was before. @param {File[]} files @param {Check|null} before @returns {Check} */
export function checkFiles(files, before) {
  const check = { ...fresh(before?.name ?? ""), ...(before && { bundles: before.bundles, trust: before.trust, receipts: before.receipts, own: before.own, beside: before.beside }) };
  Promise.all(files.map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })))
    .then((read) => { take(check, read); run(check); }, () => { check.state = "failed"; })
    .then(redraw);
  return check;
}

/** The same bundles with these keys alone trusted. @param {Check} before @param {string} key @returns {Check} */
export function checkWith(before, key) {
  const check = { ...fresh(before.name), bundles: before.bundles, receipts: before.receipts, own: before.own, beside: before.beside, trust: key ? [key] : [] };
  run(check);
  return check;
}

/** What a file is shows in its first bytes; new bundles come in place of those before, to which what is kept here belonged. @param {Check} check @param {{name: string, bytes: ArrayBuffer}[]} files */
function take(check, files) {
  /** @type {{name: string, bytes: ArrayBuffer}[]} */
  const bundles = [];
  for (const { name, bytes } of files) {
    const text = new TextDecoder().decode(bytes.slice(0, 300)).trimStart();
    if (/^[[{]/.test(text)) Object.assign(check, { receipts: [...check.receipts, new TextDecoder().decode(bytes)], beside: [...check.beside, name] });
    else if (/^[^\0\s+]+\+[0-9a-f]{8}\+/.test(text)) check.trust = [new TextDecoder().decode(bytes).trim()];
    else bundles.push({ name, bytes });
  }
  if (bundles.length) Object.assign(check, { own: [], bundles: bundles.map(({ bytes }) => bytes), name: bundles.map(({ name }) => name).join(" · ") });
}

/** @param {string} table @param {number} round @param {string|null} code @returns {Promise<ArrayBuffer|"unsealed"|"failed">} */
async function fetchBundle(table, round, code) {
  try {
    const headers = me.token ? { Authorization: `Bearer ${me.token}` } : undefined;
    const answer = await fetch(`/api/tables/${table}/rounds/${round}/bundle${code ? `?code=${encodeURIComponent(code)}` : ""}`, { headers });
    if (answer.ok) return await answer.arrayBuffer();
    return (await answer.json().catch(() => ({}))).code === "not_sealed" ? "unsealed" : "failed";
  } catch {
    return "failed";
  }
}

/** @param {Check} check */
function run(check) {
  const { bundles, trust, receipts } = check;
  if (!bundles.length) return void (check.state = "waiting");
  const worker = new Worker("/audit/verify/worker.js", { type: "module" });
  check.worker = worker;
  worker.onmessage = ({ data }) => {
    if ("percent" in data) check.percent = data.percent;
    else if ("unread" in data) Object.assign(check, { state: "done", unread: data.unread });
    else Object.assign(check, { state: "done", reports: data.reports, report: data.reports[0] });
    if (check.state === "done") worker.terminate();
    redraw();
  };
  worker.onerror = () => { check.state = "failed"; worker.terminate(); redraw(); };
  worker.postMessage({ bundles, trust, receipts: [...receipts, ...alsoOwn(check)] });
}

/** What is kept here and in no file beside the bundle. @param {Check} check */
function alsoOwn({ own, receipts }) {
  const more = own.filter(({ receipt }) => !receipts.some((text) => text.includes(receipt)));
  return more.length ? [asFile(more)] : [];
}

/** Nobody waits for it any more. @param {Check|null} check */
export const giveUp = (check) => check?.worker?.terminate();

/** Gives the bundle as a file. @param {Check} check */
export const save = (check) => { if (check.bundles.length) give(check.name, check.bundles.slice(0, 1), "application/zip"); };

/** @param {string} name @param {BlobPart[]} parts @param {string} type */
export function give(name, parts, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
