// The whole bundle, and what to say of it: the same report as verify_bundle.py gives, from the same rule books.
import { CannotTell, canonical, isNumber, Wrong } from "./json.js";
import { vouchers } from "./receipts.js";
import { Round } from "./round.js";
import { checkSeal } from "./seal.js";
import { GAMES, REVISION } from "./table.js";
import { readBundle } from "./zip.js";

/** @typedef {{trust?: import("./seal.js").Key[], receipts?: any[]}} Beside the keys that alone are trusted, verdicts that somebody kept */

/** @param {Uint8Array} data @param {Beside} [beside] @param {(done: number, all: number) => void} [progress] */
export function check(data, beside = {}, progress = () => {}) {
  /** @type {Record<string, any>} */
  const report = {
    verdict: "unknown", detail: "", table: null, round: null, game: null, records: 0, points: [], totals: [], winners: null, races: [], signed_by: null, trusted: false, checkpoint: null,
    stopped: null, version: null, kind: null, receipts: [], other_receipts: 0,
  };
  try {
    proven(data, beside, report, progress);
  } catch (problem) {
    if (problem instanceof CannotTell) Object.assign(report, { verdict: "unknown", detail: problem.message, kind: "unknown" });
    else if (problem instanceof Wrong) Object.assign(report, { verdict: "wrong", detail: problem.detail, kind: problem.kind, version: problem.version, points: [], races: [] });
    else throw problem;
  }
  return report;
}

/** @param {Uint8Array} data @param {Beside} beside @param {Record<string, any>} report @param {(done: number, all: number) => void} progress */
function proven(data, { trust = [], receipts = [] }, report, progress) {
  const bundle = readBundle(data, (game) => GAMES.has(game), REVISION);
  const { manifest } = bundle;
  Object.assign(report, { table: manifest.table, round: manifest.round, game: manifest.game, records: bundle.lines.length });
  const played = play(bundle, progress);
  checkFrame(bundle, played);
  const checkpoint = checkSeal(bundle, played.head, played.last, trust);
  const signer = String(checkpoint.key);
  const { own, others } = vouchers(receipts, manifest, played, trust.length ? trust : bundle.keys);
  Object.assign(report, { signed_by: signer, checkpoint: { origin: checkpoint.origin, size: checkpoint.size }, receipts: own, other_receipts: others });
  const lost = own.filter((one) => one.version === null && one.key !== null);
  if (lost.length) throw new Wrong("receipt", `${lost.length} signed receipts are for records that are not in this round`);
  if (trust.length && !trust.some((key) => String(key) === signer)) throw new Wrong("key", `signed by ${signer}, which is not the key to be trusted`);
  Object.assign(report, result(played), { verdict: "proven", trusted: trust.length > 0, races: played.margins, detail: "every record follows from the rules" });
}

/** The records themselves; the last is the Award. @param {import("./zip.js").Bundle} bundle @param {(done: number, all: number) => void} progress */
function play({ manifest, lines }, progress) {
  if (!isNumber(manifest.first) || manifest.first < 2 || !isNumber(manifest.round)) throw new Wrong("bundle", "a round's first record is not its table's first");
  const played = new Round(manifest);
  lines.forEach((line, i) => {
    played.take(line, manifest.first + i);
    progress(i + 1, lines.length);
  });
  if (!played.awarded) throw new Wrong("award", "the round does not end with its Award", manifest.first + lines.length - 1);
  return played;
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
