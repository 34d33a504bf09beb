// Follows the records of one round and decides each again; the chain of their hashes with it.
import { big, hex, joined, sha256, textOf, unhex } from "./bytes.js";
import { CannotTell, canonical, isObject, parse, Wrong } from "./json.js";
import { Lateness } from "./late.js";
import { isCarry, recordFault, SERVICES } from "./shape.js";
import { Table } from "./table.js";

const [REFUSALS_MAX, LOST_RACES_MAX] = [400, 50];

export class Round {
  /** As the sequel of the round `before`, if that is there. @param {any} manifest @param {Round|null} [before] */
  constructor(manifest, before = null) {
    this.manifest = manifest;
    this.before = before;
    /** @type {Table|null} */ this.table = null;
    this.head = unhex(manifest.previous, 32);
    /** @type {Map<number, string>} */ this.hashes = new Map();
    /** @type {Map<number, boolean>} */ this.accepted = new Map();
    /** @type {any[]} */ this.margins = [];
    this.ids = new Set();
    this.epoch = before?.epoch ?? 0;
    this.last = 0;
    this.awarded = false;
    this.late = new Lateness();
  }

  /** One more record; throws Wrong, which names it. @param {Uint8Array} line @param {number} version */
  take(line, version) {
    const record = readRecord(line, version);
    try {
      const table = this.place(record, version);
      this.decide(table, record);
      this.link(table, record, line);
    } catch (problem) {
      if (problem instanceof Wrong) throw new Wrong(problem.kind, problem.detail, version);
      if (problem instanceof CannotTell) throw problem;
      throw new Wrong("impossible", String(problem), version); // whatever a forger makes of a record
    }
  }

  /** The next of this table and round, no earlier than the last. @param {any} record @param {number} version */
  place(record, version) {
    if ("carry" in record) {
      if (this.table) throw new Wrong("carry", "only the first record of a round says what there was before");
      this.table = readCarry(record);
      this.checkLeft(record.carry);
    }
    const { table, manifest } = this;
    if (!table) throw new Wrong("version", "the first record of the round is missing");
    if (table.carry.game !== manifest.game || table.carry.revision !== manifest.revision) throw new Wrong("carry", "of another game or revision than the manifest says");
    if (record.n !== version || table.n !== version - 1) throw new Wrong("version", `version ${version} expected`);
    if (record.table !== manifest.table || record.round !== manifest.round) throw new Wrong("round", "of another table or round than the manifest says");
    if (record.round !== table.round || this.awarded) throw new Wrong("round", "of another round than the one that runs");
    if (record.at < table.at || record.epoch < this.epoch) throw new Wrong("time", "time or epoch runs backwards");
    return table;
  }

  /** The round begins with what the round before left, if that is there to tell. @param {any} carry */
  checkLeft(carry) {
    if (!this.before?.table) return;
    const known = { last_round: carry.last_round ?? null };
    if (canonical({ ...carry, ...known }) !== canonical({ ...this.before.table.left(), ...known })) throw new Wrong("carry", "not what the round before left");
  }

  /** @param {Table} table @param {any} record */
  decide(table, record) {
    const afterTimeOut = this.late.check(table, record.by, record.command, record.at);
    table.n = record.n;
    table.now = record.at;
    this.checkSender(table, record);
    const found = this.outcome(table, record, afterTimeOut);
    const recorded = "events" in record ? record.events : record.refused;
    if (canonical(found) !== canonical(recorded)) throw new Wrong("decision", `the rules give ${said(found)}, not ${said(recorded)}`);
    checkRecordable(table, record.by, found);
    table.at = record.at;
    if ("slowed" in record && (!this.awarded || record.slowed.length !== table.seats.length)) throw new Wrong("slowed", "only a round's last record counts what was not recorded");
  }

  /** @param {Table} table @param {any} record */
  checkSender(table, { by, id }) {
    if (!isObject(by)) return;
    if (by.seat !== table.seatOf(by.player)) throw new Wrong("sender", "the seat is not the sender's");
    const key = JSON.stringify([by.player, id ?? ""]);
    if (this.ids.has(key) || this.before?.ids.has(key)) throw new Wrong("id", "the same command id a second time"); // T-ID-1
    this.ids.add(key);
  }

  /** @param {Table} table @param {any} record @param {boolean} afterTimeOut */
  outcome(table, { by, command, meant }, afterTimeOut) {
    const kind = command.type;
    if (isObject(by)) return table.playerDoes(by.player, by.seat, command, meant);
    if (by === "scoring" && kind === "Award") {
      if (this.hashes.get(command.version) !== command.head) throw new Wrong("award", "the head is not that record's hash");
      this.awarded = true;
      return table.award(command);
    }
    if (by.startsWith("ops:") && kind === "Close") return table.houseDoes(command, false);
    if (by !== "house" || !SERVICES.has(kind) || kind === "Award") throw new Wrong("decision", `${by} can't send ${kind}`);
    return table.houseDoes(command, afterTimeOut);
  }

  /** @param {Table} table @param {any} record @param {Uint8Array} line */
  link(table, record, line) {
    this.head = sha256(joined(Uint8Array.of(3), this.head, big(record.n, 8), big(line.length, 4), line));
    this.hashes.set(record.n, hex(this.head));
    this.accepted.set(record.n, "events" in record);
    this.epoch = record.epoch;
    this.last = record.n;
    const lost = record.refused?.lost_to;
    if (!lost) return;
    const { code } = record.refused;
    /** @type {Record<string, string>} */
    const rules = { seat_taken: "T-SEAT-1", table_full: "T-SEAT-1", ...table.kind.races };
    this.margins.push({ version: record.n, seat: record.by.seat ?? null, code, lost_to: lost.version, winner: lost.by, margin_us: lost.margin_us, rule: rules[code] ?? null });
  }
}

/** T-LIMIT-1: what is right is always recorded; of refusals so many. @param {Table} table @param {any} by @param {import("./decide.js").Decision} found */
function checkRecordable(table, by, found) {
  if (Array.isArray(found)) {
    if (!found.length) throw new Wrong("limit", "a record of nothing that happened");
    return;
  }
  if (!isObject(by)) throw new Wrong("limit", "the house's and scoring's refusals are not recorded");
  if (by.seat !== null) {
    if (++table.refusals[by.seat] > REFUSALS_MAX) throw new Wrong("limit", `more than ${REFUSALS_MAX} refusals of a seat`);
  } else if (++table.lostRaces > LOST_RACES_MAX || !("lost_to" in found)) throw new Wrong("limit", "no record is made of this");
}

/** @param {Uint8Array} line @param {number} version */
function readRecord(line, version) {
  let record, fault;
  try {
    record = parse(textOf(line));
    fault = recordFault(record);
  } catch (problem) {
    throw new Wrong("bytes", `not a record: ${problem instanceof Error ? problem.message : problem}`, version);
  }
  if (fault) throw new Wrong("form", fault, version);
  return record;
}

/** The table as the round found it: taken at its word, but it must be one. @param {any} record */
function readCarry(record) {
  const { carry } = record;
  try {
    const formed = isCarry(carry);
    const table = new Table(record.table, carry);
    /** @type {{checkRules: (rules: any, seats: number) => void}} */ (table.kind).checkRules(carry.rules, table.seats.length);
    const fault = formed ? table.fault(carry) : "not the fields that a round begins with";
    if (!fault) return table;
    throw new TypeError(fault);
  } catch (problem) {
    throw new Wrong("carry", `what the round begins with is not a table: ${problem instanceof Error ? problem.message : problem}`, record.n);
  }
}

/** A decision in short. @param {any} found */
const said = (found) => (Array.isArray(found) ? found.map((one) => String(one?.type)).join(" and ") || "nothing" : `a refusal ${canonical(found)}`);
