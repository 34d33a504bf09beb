// The whole bundle, and what to say of it: the same report as verify_bundle.py gives, from the same rule books.
import { hex } from "./bytes.js";
import { CannotTell, canonical, isNumber, Wrong } from "./json.js";
import { saysWhere, vouchers } from "./receipts.js";
import { Round } from "./round.js";
import { checkSeal } from "./seal.js";
import { GAMES, REVISION } from "./table.js";
import { readBundle } from "./zip.js";

/** @typedef {{trust?: import("./seal.js").Key[], receipts?: any[]}} Beside the keys that alone are trusted, verdicts that somebody kept */

/** @typedef {Record<string, any>} Report */
/** @typedef {(done: number, all: number) => void} Progress */

/** Everything that a bundle can show. @param {Uint8Array} data @param {Beside} [beside] @param {Progress} [progress] @returns {Report} */
export const check = (data, beside = {}, progress = () => {}) => reported(data, beside, null, progress).report;

/** A report on each bundle; each but the first as the sequel of the one before, `follows` says of which round. Receipts that do not say where they belong are passed over. @param {Uint8Array[]} files @param {Beside} [beside] @param {Progress} [progress] @returns {Report[]} */
export function checkAll(files, { trust = [], receipts = [] } = {}, progress = () => {}) {
  const placed = receipts.map((held) => (saysWhere(held) ? held : null));
  /** @type {Round|null} */
  let before = null;
  return files.map((data, i) => {
    const { report, played } = reported(data, { trust, receipts: placed }, before, (done, all) => progress(i * all + done, files.length * all));
    const follows = before && before.manifest.round;
    before = report.verdict === "proven" ? played : null;
    return { ...report, follows };
  });
}

/** @param {Uint8Array} data @param {Beside} beside @param {Round|null} before @param {Progress} progress @returns {{report: Report, played: Round|null}} */
function reported(data, beside, before, progress) {
  /** @type {Report} */
  const report = {
    verdict: "unknown", detail: "", table: null, round: null, game: null, records: 0, points: [], totals: [], winners: null, races: [], signed_by: null, trusted: false, checkpoint: null,
    stopped: null, version: null, kind: null, receipts: [], other_receipts: 0,
  };
  try {
    return { report, played: proven(data, beside, before, report, progress) };
  } catch (problem) {
    if (problem instanceof CannotTell) Object.assign(report, { verdict: "unknown", detail: problem.message, kind: "unknown" });
    else if (problem instanceof Wrong) Object.assign(report, { verdict: "wrong", detail: problem.detail, kind: problem.kind, version: problem.version, points: [], races: [] });
    else throw problem;
  }
  return { report, played: null };
}

/** @param {Uint8Array} data @param {Beside} beside @param {Round|null} before @param {Report} report @param {Progress} progress */
function proven(data, { trust = [], receipts = [] }, before, report, progress) {
  const bundle = readBundle(data, (game) => GAMES.has(game), REVISION);
  const { manifest } = bundle;
  Object.assign(report, { table: manifest.table, round: manifest.round, game: manifest.game, records: bundle.lines.length });
  const played = play(bundle, before, progress);
  checkFrame(bundle, played);
  const checkpoint = checkSeal(bundle, played.head, played.last, trust);
  const signer = String(checkpoint.key);
  const { own, others } = vouchers(receipts, manifest, played, trust.length ? trust : bundle.keys);
  Object.assign(report, { signed_by: signer, checkpoint: { origin: checkpoint.origin, size: checkpoint.size }, receipts: own, other_receipts: others });
  const lost = own.filter((one) => one.version === null && one.key !== null);
  if (lost.length) throw new Wrong("receipt", `${lost.length} signed receipts are for records that are not in this round`);
  if (trust.length && !trust.some((key) => String(key) === signer)) throw new Wrong("key", `signed by ${signer}, which is not the key to be trusted`);
  Object.assign(report, result(played), { verdict: "proven", trusted: trust.length > 0, races: played.margins, detail: "every record follows from the rules" });
  return played;
}

/** The records themselves; the last is the Award. @param {import("./zip.js").Bundle} bundle @param {Round|null} before @param {Progress} progress */
function play({ manifest, lines }, before, progress) {
  if (!isNumber(manifest.first) || manifest.first < 2 || !isNumber(manifest.round)) throw new Wrong("bundle", "a round's first record is not its table's first");
  if (before) checkSequel(manifest, before);
  const played = new Round(manifest, before);
  lines.forEach((line, i) => {
    played.take(line, manifest.first + i);
    progress(i + 1, lines.length);
  });
  if (!played.awarded) throw new Wrong("award", "the round does not end with its Award", manifest.first + lines.length - 1);
  return played;
}

/** Of the next round of the same table, chained to that one's last record. @param {any} manifest @param {Round} before */
function checkSequel(manifest, { manifest: known, last, head }) {
  const follows = manifest.table === known.table && manifest.round === known.round + 1 && manifest.first === last + 1 && manifest.previous === hex(head);
  if (!follows) throw new Wrong("sequel", `not the round behind round ${known.round} of table ${known.table}`);
}

/** What the manifest and the list of races say follows from the records. @param {import("./zip.js").Bundle} bundle @param {Round} played */
function checkFrame({ manifest, margins }, played) {
  if (manifest.last !== played.last || manifest.head !== played.hashes.get(played.last)) throw new Wrong("manifest", "the chain of these records does not end in the manifest's head");
  if (canonical(margins) !== canonical(played.margins)) throw new Wrong("races", "the list of races is not that of the records");
  const ends = manifest.commits.map((/** @type {any} */ commit) => commit.last);
  const rising = ends.every((/** @type {number} */ end, /** @type {number} */ i) => i === 0 || end > ends[i - 1]);
  if (!rising || (ends.length && ends.at(-1) < played.last)) throw new Wrong("manifest", "the commits do not cover the records");
}

/** @param {Round} played */
function result({ table }) {
  const stop = table?.stoppedBy;
  if (!table?.play || !stop) throw new Wrong("award", "no round was stopped");
  const totals = [...table.points];
  return { points: table.play.points(), totals, winners: table.play.winners(totals), stopped: { version: stop.version, at: stop.at, by: stop.by, how: stop.why } };
}
