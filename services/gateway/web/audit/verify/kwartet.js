// One game of Kwartet, decided from the rule book; numbers in comments are its rules.
import { hex, sha256, utf8 } from "./bytes.js";
import { Stream } from "./chance.js";
import { beats, due, END_OF_TURN, event, past, refuse } from "./decide.js";
import { canonical, hasExactly, isNumber } from "./json.js";
import { card as isCard, flag, listOf, object, orNull, text } from "./shape.js";

/** @typedef {import("./decide.js").Decision} Decision */
const MINUTE = 60_000_000;
const ASKS_SHOWN = 20;
/** A card as one text, for looking up. @param {{family: string, member: string}} one */
const keyOf = (one) => JSON.stringify([one.family, one.member]);
/** @param {string} key */
const shown = (key) => { const [family, member] = JSON.parse(key); return { family, member }; };
/** @param {string} key @returns {string} */
const familyOf = (key) => JSON.parse(key)[0];

export class Kwartet {
  static playing = new Set(["Ask", "PassAbsent"]);
  static preparing = new Set();
  static hosts = new Set(["PassAbsent"]);
  static house = new Set(["EndTurn"]);
  static seatCounts = [2, 3, 4, 5, 6];
  static levels = ["forgetful", "careful", "perfect"];
  static races = { not_your_turn: "K-ASK-7", round_over: "K-ASK-8" };
  static maySleep = true;
  /** @param {number} seats */
  static sides = (seats) => seats;
  /** What the game before left, for all to see: dealer, families, the last requests. @param {any} carry */
  static carries = (carry) => object({
    dealer: orNull(isNumber), exposed: listOf(object({ family: text(256), seat: isNumber })),
    asks: listOf(object({ by: isNumber, to: isNumber, card: isCard, given: flag })),
  })(carry);

  /** Throws for house rules out of their ranges, or a pack that is none. @param {any} rules @param {number} seats */
  static checkRules(rules, seats) {
    if (!hasExactly(rules, ["after_miss", "pack", "pack_hash", "prepare_ms", "turn_ms"])) throw new TypeError("other house rules than Kwartet has");
    if (!["asked", "clockwise"].includes(rules.after_miss)) throw new TypeError("after_miss is neither asked nor clockwise");
    const { turn_ms: turn, prepare_ms: prepare } = rules;
    if (!isNumber(turn) || !isNumber(prepare) || !(turn === 0 || (turn >= 5_000 && turn <= 3_600_000))) throw new TypeError("turn_ms is neither 0 nor from 5000 to 3600000");
    if (prepare < 1_000 || prepare > 600_000) throw new TypeError("prepare_ms is not from 1000 to 600000");
    checkPack(rules.pack, rules.pack_hash, seats);
  }

  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.rules = table.rules;
    this.n = table.seats.length;
    /** @type {Map<string, string[]>} */
    this.families = new Map(this.rules.pack.families.map((family) => [family.name, family.members.map((member) => keyOf({ family: family.name, member: member.name }))]));
    this.pack = [...this.families.values()].flat();
    /** @type {string[][]} */ this.hands = Array.from({ length: this.n }, () => []);
    /** @type {string[]} */ this.stock = [];
    /** @type {number|null} */ this.turn = null;
    this.since = 0;
    /** @type {Map<string, number>} */ this.exposed = new Map();
    /** @type {number|null} */ this.dealer = null;
    /** @type {any[]} */ this.asks = [];
    this.barren = 0;
    /** @type {import("./decide.js").Past|null} */ this.last = null;
    /** @type {import("./decide.js").Past|null} */ this.stop = null;
  }

  /** What stays on the table: who dealt, the families, the last requests. */
  carry() { return { dealer: this.dealer, exposed: [...this.exposed].map(([family, seat]) => ({ family, seat })), asks: this.asks.slice(-ASKS_SHOWN) }; }

  /** The opening (K-DEAL-1 to 3). @param {Uint8Array} key */
  open(key) {
    const stream = new Stream(key, "deal/0");
    const dealer = this.dealer = stream.draw(this.n);
    const cards = stream.shuffle(this.pack);
    const dealt = this.n === 2 ? Math.floor(cards.length / 4) * 2 : cards.length; // K-VAR-2
    cards.slice(0, dealt).forEach((one, place) => this.hands[(dealer + 1 + place) % this.n].push(one));
    this.stock = cards.slice(dealt);
    this.last = past(this.table.n, this.table.now, "house", "dealt");
    const events = [event("CardsDealt", { dealer, hands: this.hands.map((hand) => hand.map(shown)), stock: this.stock.map(shown) })];
    const first = (dealer + 1) % this.n;
    const holding = this.holding();
    for (const seat of this.clockwise(first)) events.push(...this.layDown(seat));
    events.push(...this.fill(first, holding));
    return [...events, ...this.goOn("house", "dealt", first)];
  }

  due() {
    const limit = this.rules.turn_ms * 1000;
    return limit ? [due(this.since + limit, END_OF_TURN, 0, event("EndTurn"), true)] : [];
  }

  /** A turn that came by a time-out of the time without an owner begins now (T-LATE-1). @param {boolean} afterTimeOut */
  resumed(afterTimeOut) { if (afterTimeOut) this.since = this.table.now; }

  /** The turn that was running begins anew (T-IDLE-1). */
  woken() { this.since = this.table.now; }

  /** K-TIME-1. @returns {Decision} */
  houseDoes() { return this.nextTurn("TurnTimedOut", "timeout"); }

  /** @param {number} seat @param {any} command @returns {Decision} */
  seatDoes(seat, command) {
    if (command.type === "PassAbsent") return this.pass();
    const card = keyOf(command.card);
    const code = this.against(seat, command.seat, card);
    if (code === "not_your_turn") return refuse(code, this.last ? beats(this.last, this.table.now) : null); // K-ASK-7
    return code ? refuse(code) : this.ask(seat, command.seat, card);
  }

  /** The first reason against a request, in the order of K-ASK-8. @param {number} seat @param {number} to @param {string} card */
  against(seat, to, card) {
    const own = this.hands[seat];
    if (seat !== this.turn) return "not_your_turn";
    if (to < 0 || to >= this.n) return "no_such_seat";
    if (to === seat) return "yourself";
    if (!this.pack.includes(card)) return "no_such_card";
    if (own.includes(card)) return "own_card";
    if (this.exposed.has(familyOf(card))) return "family_exposed";
    if (!own.some((one) => familyOf(one) === familyOf(card))) return "family_not_held";
    return this.hands[to].length ? null : "no_cards";
  }

  /** @param {number} seat @param {number} to @param {string} card */
  ask(seat, to, card) {
    const holding = this.holding();
    const given = this.hands[to].includes(card);
    const events = [event("CardAsked", { by: seat, to, card: shown(card), given })];
    this.asks.push({ by: seat, to, card: shown(card), given });
    this.since = this.table.now;
    this.last = past(this.table.n, this.table.now, seat);
    this.barren += 1;
    if (given) { // K-ASK-3
      this.hands[to].splice(this.hands[to].indexOf(card), 1);
      this.hands[seat].push(card);
    } else if (this.stock.length) events.push(this.drawCard(seat)); // K-VAR-2
    events.push(...this.layDown(seat), ...this.fill(seat, holding));
    const following = given ? seat : this.rules.after_miss === "asked" ? to : seat + 1; // K-ASK-4, 5, K-VAR-1
    return [...events, ...this.goOn(seat, "ask", following)];
  }

  /** K-DISC-1. */
  pass() {
    if (this.rules.turn_ms) return refuse("turn_has_limit");
    const away = this.table.seats[/** @type {number} */ (this.turn)];
    const { now } = this.table;
    const gone = away.bot === null && !away.connected && now - away.since >= MINUTE;
    return !gone && now - this.since < MINUTE ? refuse("not_absent") : this.nextTurn("TurnPassed", "pass");
  }

  /** @param {string} kind @param {string} why */
  nextTurn(kind, why) {
    const seat = /** @type {number} */ (this.turn);
    this.barren += 1;
    this.last = past(this.table.n, this.table.now, "house", why);
    return [event(kind, { seat }), ...this.goOn("house", why, seat + 1)];
  }

  // What follows from a request, in this order

  /** @param {number} seat */
  drawCard(seat) {
    const card = /** @type {string} */ (this.stock.shift());
    this.hands[seat].push(card);
    return event("CardDrawn", { seat, card: shown(card) });
  }

  /** K-SET-1: complete families of a hand, in the pack's order. @param {number} seat */
  layDown(seat) {
    const events = [];
    for (const [family, cards] of this.families) {
      if (!cards.every((card) => this.hands[seat].includes(card))) continue;
      this.hands[seat] = this.hands[seat].filter((card) => familyOf(card) !== family);
      this.exposed.set(family, seat);
      this.barren = 0;
      events.push(event("FamilyExposed", { seat, family }));
    }
    return events;
  }

  /** K-VAR-2: an empty hand draws while there is a stock; without one who held cards is out (K-EMPTY-1). @param {number} first @param {Set<number>} holding */
  fill(first, holding) {
    const events = [];
    for (const seat of this.clockwise(first)) {
      if (this.hands[seat].length) continue;
      if (this.stock.length) events.push(this.drawCard(seat));
      else if (holding.has(seat)) events.push(event("HandEmptied", { seat }));
    }
    return events;
  }

  /** The end (K-END-1, K-END-4), or the next turn: that seat's, or the next clockwise with cards (K-EMPTY-2). @param {number|string} by @param {string} how @param {number} following */
  goOn(by, how, following) {
    const complete = this.exposed.size === this.families.size;
    if (complete || this.barren >= 16 * this.pack.length) {
      this.stop = past(this.table.n, this.table.now, by, how);
      return [event("GameEnded", { by, how, complete })];
    }
    const turn = /** @type {number} */ (this.clockwise(following).find((seat) => this.hands[seat].length));
    if (turn === this.turn) return [];
    this.turn = turn;
    this.since = this.table.now;
    return [event("TurnCame", { seat: turn })];
  }

  /** @param {number} first */
  clockwise(first) { return Array.from({ length: this.n }, (_, step) => (first + step) % this.n); }

  holding() { return new Set(this.hands.flatMap((hand, seat) => (hand.length ? [seat] : []))); }

  /** K-END-2: one a family. */
  points() { return this.hands.map((_, seat) => [...this.exposed.values()].filter((one) => one === seat).length); }

  /** K-END-2, K-END-4. @param {number[]} totals @returns {number[]|null} */
  winners(totals) {
    const top = Math.max(...totals);
    return top ? totals.flatMap((one, seat) => (one === top ? [seat] : [])) : [];
  }
}

/** K-PACK-1 to 3, and that the text is the one whose hash the log names. @param {any} pack @param {string} hash @param {number} seats */
function checkPack(pack, hash, seats) {
  if (hex(sha256(utf8(canonical(pack)))) !== hash) throw new TypeError("the pack's text does not have the pack's hash");
  const names = (/** @type {any[]} */ all) => new Set(all.map(({ name }) => { if (typeof name !== "string") throw new TypeError("no name"); return name; })).size;
  const { families } = pack;
  if (!(families.length >= seats && families.length <= 64) || names(families) !== families.length) throw new TypeError("a pack has families of different names, at least one a player, at most 64");
  for (const { members } of families) if (members.length !== 4 || names(members) !== 4) throw new TypeError("a family does not have four members");
}
