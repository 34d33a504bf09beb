// The form of a record and of what a round begins with: which fields, of which types, and no others.
import { hasExactly, INTEGER_MAX, isNumber, isObject } from "./json.js";

/** @typedef {(value: any) => boolean} Shape */

/** @param {number} longest in code points @returns {Shape} */
export const text = (longest) => (value) => typeof value === "string" && (value.length <= longest || [...value].length <= longest);
/** @param {RegExp} pattern @returns {Shape} */
const like = (pattern) => (value) => typeof value === "string" && pattern.test(value);
/** @param {Shape} shape @returns {Shape} */
export const orNull = (shape) => (value) => value === null || shape(value);
/** @type {Shape} */
export const flag = (value) => typeof value === "boolean";
/** @param {Shape} shape @returns {Shape} */
export const listOf = (shape) => (value) => Array.isArray(value) && value.every(shape);
/** @param {Record<string, Shape>} fields @returns {Shape} */
export const object = (fields) => (value) => isObject(value) && fits(value, fields);
/** @param {any} found @param {Record<string, Shape>} fields */
const fits = (found, fields) => hasExactly(found, Object.keys(fields)) && Object.entries(fields).every(([name, shape]) => shape(found[name]));

/** @type {Shape} */
const n = isNumber;
const digest = like(/^[0-9a-f]{64}$/);
const name = text(64);
const short = text(16);
const string = text(INTEGER_MAX);
const numbers = listOf(n);
export const card = object({ family: text(256), member: text(256) });

/** @type {Map<string, Record<string, Shape>>} */
export const PLAYERS = new Map(Object.entries(/** @type {Record<string, Record<string, Shape>>} */ ({
  Sit: { seat: orNull(n) }, Leave: {}, AddBot: { seat: orNull(n), level: orNull(name) }, RemoveBot: { seat: n }, FreeSeat: { seat: n }, StartGame: {}, NewGame: {}, EndBreak: {},
  CommitEntropy: { hash: digest }, Ready: { entropy: orNull(like(/^([0-9a-fA-F]{2}){16,32}$/)) }, PickSign: { sign: short }, SwapCard: { card: short, place: n, aimed_at: short },
  TakeChannel: {}, GiveChannel: {}, ShowEmoji: { emoji: short }, CallQuatro: { anyway: flag }, CallCounter: { team: orNull(n) }, AskReshuffle: {}, AnswerReshuffle: { agree: flag },
  Ask: { seat: n, card }, PassAbsent: {},
})));
/** @type {Map<string, Record<string, Shape>>} */
export const SERVICES = new Map(Object.entries(/** @type {Record<string, Record<string, Shape>>} */ ({
  Connect: { player: name, cause: name }, Disconnect: { player: name, cause: name }, Prepare: { house: digest }, Open: {}, PassHost: {}, Resumed: { from: n, to: n }, EndBreak: {},
  Close: { reason: name }, TimeUp: {}, EndVote: {}, Beat: { seat: n }, EndTurn: {}, Award: { points: numbers, head: digest, version: n },
})));

const NEEDED = ["at", "by", "command", "epoch", "n", "round", "salt", "table", "v"];
const OPTIONAL = ["carry", "events", "id", "meant", "refused", "slowed", "via"];
const via = object({ gateway: text(10_000), received: n, arrived: n, sent: orNull(n) });
const salt = like(/^[0-9a-f]{32}$/);

/** What is wrong with the form of a record; null: nothing. @param {any} record @returns {string|null} */
export function recordFault(record) {
  if (!isObject(record)) throw new TypeError("no object");
  const keys = Object.keys(record);
  if (!NEEDED.every((key) => key in record) || !keys.every((key) => NEEDED.includes(key) || OPTIONAL.includes(key)) || record.v !== 1) return "not the fields of a record of version 1";
  if ("events" in record === "refused" in record) return "either something happened or it was refused";
  if (!["at", "epoch", "n", "round", "v"].every((key) => n(record[key])) || !salt(record.salt)) return "numbers or salt are none";
  if (!isSender(record.by) || ("id" in record && (record.id === "" || !text(10_000)(record.id)))) return "no such sender, or no id";
  if ("via" in record && !via(record.via)) return "via is not what it must be";
  if ("slowed" in record && !numbers(record.slowed)) return "slowed is not numbers";
  const { type, ...rest } = record.command;
  const fields = PLAYERS.get(type) ?? SERVICES.get(type);
  return fields && fits(rest, fields) && (!("meant" in record) || n(record.meant)) ? null : "not a command that there is";
}

/** @param {any} by */
const isSender = (by) => (isObject(by) ? hasExactly(by, ["player", "seat"]) && typeof by.player === "string" && orNull(n)(by.seat)
  : by === "house" || by === "scoring" || (typeof by === "string" && by.startsWith("ops:")));

const by = (/** @type {any} */ value) => value === "house" || n(value);
/** What has a value that says nothing (the second) is left out. @type {Record<string, [Shape, any]>} */
const SEAT = { player: [orNull(string), null], bot: [orNull(string), null], connected: [flag, false], since: [n, 0], left: [flag, false] };
/** @type {Record<string, Shape>} */
const CARRIED = {
  at: n, created_at: n, game: string, last_first_version: n, phase: string, private: flag, points: numbers, revision: n, round: n, rules: isObject, version: n,
  host: object({ player: string, connected: flag, since: n, left: flag }), seats: listOf((seat) => isObject(seat) && saysSomething(seat, SEAT)),
  takings: listOf(orNull(object({ version: n, at: n }))),
};
/** @type {Record<string, [Shape, any]>} */
const MAY_CARRY = {
  alone_since: [n, null], awarded_at: [n, null], deadline: [n, null], had_human: [flag, false], lost_races: [n, 0], stop: [object({ version: n, at: n, by, how: string }), null],
  winners: [numbers, null], last_round: [isObject, null], carry: [isObject, null],
};

/** @param {any} found @param {Record<string, [Shape, any]>} fields */
const saysSomething = (found, fields) => Object.entries(found).every(([key, value]) => Object.hasOwn(fields, key) && fields[key][0](value) && value !== fields[key][1]);

/** Whether a round can begin with this. @param {any} carry */
export function isCarry(carry) {
  if (!isObject(carry)) return false;
  const rest = Object.fromEntries(Object.entries(carry).filter(([key]) => !Object.hasOwn(CARRIED, key)));
  return Object.entries(CARRIED).every(([key, shape]) => Object.hasOwn(carry, key) && shape(carry[key])) && saysSomething(rest, MAY_CARRY);
}
