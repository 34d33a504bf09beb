// Deadlines first, each at its own time; and what T-LATE-1 makes of those found over two seconds late.
import { canonical, Wrong } from "./json.js";

const LATE = 2_000_000;
/** @typedef {import("./decide.js").Due} Due */

/** `run` are the records just before that kept their own time, with the earliest time at which anything was due before each:
 * if the table had no owner then, Resumed follows and tells. `owing`: from which of them on it must. */
export class Lateness {
  constructor() {
    /** @type {{kind: string, at: number}[]} */ this.run = [];
    /** @type {number|null} */ this.owing = null;
  }

  /** Whether the house was punctual; true if the record is a Resumed right after a time-out. @param {import("./table.js").Table} table @param {any} by @param {any} command @param {number} at */
  check(table, by, command, at) {
    const due = table.due();
    const kind = command.type;
    if (by !== "house" || kind === "Connect" || kind === "Disconnect") {
      if (due.length && due[0].at <= at) throw new Wrong("missing_house", wasDue(due[0]));
    } else if (kind !== "Resumed") {
      if (this.deadline(due, command, at)) return false;
    } else {
      this.resumed(table, due, command, at);
      const afterTimeOut = this.run.at(-1)?.kind === "EndTurn";
      this.run = [];
      this.owing = null;
      return afterTimeOut;
    }
    if (this.owing !== null) throw new Wrong("missing_house", "a deadline was passed over, which only Resumed explains");
    this.run = [];
    return false;
  }

  /** Whether this deadline keeps its own time however late it is found. @param {Due[]} due @param {any} command @param {number} at */
  deadline(due, command, at) {
    const kind = command.type;
    const meant = canonical(kind === "Prepare" ? { type: "Prepare" } : command);
    const place = due.findIndex((one) => canonical(one.command) === meant);
    if (place < 0) {
      if (due.length && due[0].at <= at) throw new Wrong("missing_house", wasDue(due[0]));
      throw new Wrong("extra_house", `no ${kind} was due`);
    }
    if (due[place].at !== at) throw new Wrong(at > due[place].at ? "late_house" : "early_house", `${kind} was due at ${due[place].at}`);
    if (place) this.passesOver(due, place);
    if (due[place].own) this.run.push({ kind, at: due[0].at });
    return due[place].own;
  }

  /** Others were due before: right only if this one keeps its time, they don't, and all was found late. @param {Due[]} due @param {number} place */
  passesOver(due, place) {
    const done = new Set(this.run.map((one) => one.kind));
    for (const one of due.slice(0, place)) {
      if (!due[place].own || (one.own && !done.has(one.command.type))) throw new Wrong("missing_house", wasDue(one));
    }
    this.owing ??= this.run.length;
  }

  /** From the last record until now, something over 2 s late, each that keeps its own time decided, once. @param {import("./table.js").Table} table @param {Due[]} due @param {any} command @param {number} at */
  resumed(table, due, command, at) {
    const left = new Set(due.filter((one) => one.own && one.at <= at).map((one) => one.command.type));
    if (command.from !== table.at || command.to !== at) throw new Wrong(left.size ? "missing_house" : "extra_house", "not from the last record until now");
    const latest = this.owing ?? this.run.length;
    for (let start = 0; start <= latest; start++) if (this.foundLate(start, left, due, at)) return;
    if (due.length && due[0].at <= at) throw new Wrong("missing_house", wasDue(due[0]));
    throw new Wrong("extra_house", "nothing was late");
  }

  /** @param {number} start @param {Set<string>} left @param {Due[]} due @param {number} at */
  foundLate(start, left, due, at) {
    const kinds = this.run.slice(start).map((one) => one.kind);
    const first = kinds.length ? this.run[start].at : due.length ? due[0].at : at;
    return new Set(kinds).size === kinds.length && [...left].every((kind) => kinds.includes(kind)) && first < at - LATE;
  }
}

/** @param {Due} one */
const wasDue = (one) => `${one.command.type} was due at ${one.at}`;
