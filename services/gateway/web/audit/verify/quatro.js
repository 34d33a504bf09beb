// One round of Quatro, decided from the rule book; numbers in comments are its rules.
import { Stream } from "./chance.js";
import { BEAT, beats, due, END_OF_ROUND, END_OF_VOTE, event, past, refuse } from "./decide.js";
import { hasExactly, isNumber } from "./json.js";
import { listOf, text } from "./shape.js";

/** @typedef {import("./decide.js").Decision} Decision */
const RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6"];
const SIGNS = [..."🍍⚡🔔🚀🍇⛵🐢🚲🦊⚽👻🎲🦋🌈☔🎩🎸🧦🌵🎁🥨🍄🥕🔑"];
/** House rules in their ranges, times in ms. @type {Record<string, [number, number]>} */
const RANGES = {
  target_points: [1, 50], prepare_ms: [1_000, 600_000], break_ms: [1_000, 600_000], round_ms: [5_000, 3_600_000], swap_wait_ms: [0, 60_000],
  channel_wait_ms: [0, 60_000], vote_gap_ms: [0, 60_000], beat_ms: [1_000, 60_000], vote_ms: [5_000, 60_000],
};

export class Quatro {
  static playing = new Set(["SwapCard", "TakeChannel", "GiveChannel", "ShowEmoji", "CallQuatro", "CallCounter", "AskReshuffle", "AnswerReshuffle"]);
  static preparing = new Set(["PickSign"]);
  static hosts = new Set();
  static house = new Set(["TimeUp", "EndVote", "Beat"]);
  static seatCounts = [4, 6, 8];
  static levels = ["easy", "normal", "sharp"];
  static races = { card_gone: "Q-SWAP-3", round_over: "Q-STOP-1" };
  static maySleep = false;
  /** @param {number} seats */
  static sides = (seats) => seats / 2;
  /** What the round before left: each team's last sign. @param {any} carry */
  static carries = (carry) => hasExactly(carry, ["signs"]) && listOf(text(16))(carry.signs);

  /** Throws for house rules out of their ranges. @param {any} rules */
  static checkRules(rules) {
    if (!hasExactly(rules, Object.keys(RANGES))) throw new TypeError("other house rules than Quatro has");
    for (const [name, [low, high]] of Object.entries(RANGES)) {
      if (!isNumber(rules[name]) || rules[name] < low || rules[name] > high) throw new TypeError(`${name} is not from ${low} to ${high}`);
    }
  }

  /** What stays for the next round. */
  carry() { return { signs: [...this.signs] }; }

  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.rules = table.rules;
    this.n = table.seats.length;
    this.teams = this.n / 2; // Q-SEAT-2
    this.lastSigns = table.gameCarry?.signs?.length ? table.gameCarry.signs : Array(this.teams).fill(null);
    /** @type {(string|null)[]} */ this.signs = Array(this.teams).fill(null);
    /** @type {string[][]} */ this.hands = [];
    /** @type {string[]} */ this.centre = [];
    /** @type {Map<string, import("./decide.js").Past>[]} */ this.taken = [0, 1, 2, 3].map(() => new Map());
    /** @type {(number|null)[]} */ this.maySwap = Array(this.n).fill(null);
    this.channels = Array.from({ length: this.n }, () => channel(false, null));
    this.ends = 0;
    /** @type {{asker: number, deadline: number, agreed: Set<number>}|null} */ this.vote = null;
    /** @type {number|null} */ this.mayVote = null;
    this.reshuffled = false;
    /** @type {import("./decide.js").Past|null} */ this.stop = null;
    /** @type {{team: number, right: boolean}|null} */ this.called = null;
  }

  /** @param {string} name */
  us(name) { return this.rules[name] * 1000; }

  /** @param {number} seat */
  team(seat) { return seat % this.teams; }

  // The opening (Q-OPEN-3, Q-SIGN-4, Q-DEAL-1)

  /** @param {Uint8Array} key */
  open(key) {
    const events = [];
    for (let team = 0; team < this.teams; team++) {
      if (this.signs[team] !== null) continue;
      const free = SIGNS.filter((one) => one !== this.lastSigns[team]); // Q-SIGN-5
      this.signs[team] = free[new Stream(key, `sign/${team}`).draw(free.length)];
      events.push(event("SignDrawn", { team, sign: this.signs[team] }));
    }
    this.ends = this.table.now + this.us("round_ms");
    return [...events, this.deal("HandsDealt", new Stream(key, "deal/0"))];
  }

  /** Q-DEAL-2: a hand with three or four of a rank goes back, and what is undealt is shuffled again. @param {string} kind @param {Stream} stream */
  deal(kind, stream) {
    let undealt = stream.shuffle(RANKS.slice(0, this.n + 1).flatMap((rank) => ["S", "H", "D", "C"].map((suit) => rank + suit)));
    this.hands = [];
    const replaced = [];
    for (let seat = 0; seat < this.n; seat++) {
      let times = 0;
      for (; most(undealt.slice(0, 4)) >= 3; times++) undealt = stream.shuffle([...undealt.slice(4), ...undealt.slice(0, 4)]);
      if (times) replaced.push({ seat, times });
      this.hands.push(undealt.slice(0, 4));
      undealt = undealt.slice(4);
    }
    this.centre = undealt;
    return event(kind, { hands: this.hands.map((hand) => [...hand]), centre: [...undealt], replaced });
  }

  due() {
    const found = [due(this.ends, END_OF_ROUND, 0, event("TimeUp"), true)];
    if (this.vote) {
      const passed = this.passes(this.vote); // Q-VOTE-3: at once, and nothing is dealt in the past (T-LATE-1)
      found.push(due(passed ? this.table.at : this.vote.deadline, END_OF_VOTE, 0, event("EndVote"), !passed));
    }
    this.channels.forEach(({ beat }, seat) => { if (beat !== null) found.push(due(beat, BEAT, seat, event("Beat", { seat }))); });
    return found;
  }

  /** Missed beats are not made up: one goes out now, and that follows from `due` (T-LATE-1). */
  resumed() {}
  /** A table of Quatro sleeps in breaks only. */
  woken() {}

  /** @param {any} command @returns {Decision} */
  houseDoes(command) {
    if (command.type === "TimeUp") { // Q-TIME-1
      this.stopBy("house", "time");
      return [event("RoundDrawn")];
    }
    if (command.type === "EndVote") return this.endVote();
    const it = this.channels[command.seat];
    it.shown = it.chosen || it.shown;
    it.chosen = null;
    it.beat = this.table.now + this.us("beat_ms");
    return [event("EmojiRepeated", { seat: command.seat, emoji: it.shown })];
  }

  /** @param {number} seat @param {any} command @returns {Decision} */
  seatDoes(seat, command) {
    switch (command.type) {
      case "PickSign": return this.pickSign(seat, command.sign);
      case "SwapCard": return this.swap(seat, command.card, command.place, command.aimed_at);
      case "TakeChannel": return this.changeChannel(seat, true);
      case "GiveChannel": return this.changeChannel(seat, false);
      case "ShowEmoji": return this.show(seat, command.emoji);
      case "CallQuatro": return this.callQuatro(seat, command.anyway);
      case "CallCounter": return this.callCounter(seat, command.team);
      case "AskReshuffle": return this.askReshuffle(seat);
      default: return this.answer(seat, command.agree);
    }
  }

  /** @param {number} seat @param {string} sign */
  pickSign(seat, sign) {
    const team = this.team(seat);
    if (!SIGNS.includes(sign)) return refuse("no_such_sign");
    if (this.signs[team] !== null) return refuse("sign_already_set"); // Q-SIGN-2
    if (this.lastSigns[team] === sign) return refuse("sign_used_last_round"); // Q-SIGN-5
    this.signs[team] = sign;
    return [event("SignPicked", { seat, team, sign })];
  }

  /** @param {number} seat @param {string} card @param {number} place @param {string} aimedAt */
  swap(seat, card, place, aimedAt) {
    const { now, n } = this.table;
    const hand = this.hands[seat];
    if (place < 0 || place > 3) return refuse("no_such_place"); // Q-SWAP-8: in this order
    if (!hand.includes(card)) return refuse("not_in_hand");
    const ready = this.maySwap[seat];
    if (ready !== null && now < ready) return refuse("too_soon", null, ready); // Q-SWAP-4
    if (this.centre[place] !== aimedAt) { // Q-SWAP-3
      const winner = this.taken[place].get(aimedAt);
      return refuse("card_gone", winner ? beats(winner, now) : null);
    }
    hand[hand.indexOf(card)] = aimedAt; // Q-SWAP-2
    this.centre[place] = card;
    this.taken[place].set(aimedAt, past(n, now, seat));
    this.maySwap[seat] = now + this.us("swap_wait_ms");
    return [event("CardSwapped", { seat, place, given: card, taken: aimedAt })];
  }

  /** @param {number} seat @param {boolean} held */
  changeChannel(seat, held) {
    const it = this.channels[seat];
    const { now } = this.table;
    if (it.held === held) return refuse(held ? "already_in_control" : "not_in_control");
    const ready = it.changed === null ? now : it.changed + this.us("channel_wait_ms");
    if (now < ready) return refuse("too_soon", null, ready); // Q-CHAN-5
    this.channels[seat] = channel(held, now);
    return [event(held ? "ChannelTaken" : "ChannelGiven", { seat })];
  }

  /** @param {number} seat @param {string} emoji */
  show(seat, emoji) {
    const it = this.channels[seat];
    if (!it.held) return refuse("not_in_control"); // Q-CHAN-6
    if (!SIGNS.includes(emoji)) return refuse("no_such_sign");
    if (it.shown !== null) { // Q-CHAN-2: what goes out at the next beat
      it.chosen = emoji;
      return [event("EmojiChosen", { seat, emoji })];
    }
    it.shown = emoji;
    it.beat = this.table.now + this.us("beat_ms");
    return [event("EmojiShown", { seat, emoji })];
  }

  /** @param {number} seat @param {boolean} anyway */
  callQuatro(seat, anyway) {
    if (most(this.hands[seat]) === 4 && !anyway) return refuse("own_four"); // Q-CALL-3
    const right = most(this.hands[(seat + this.teams) % this.n]) === 4; // Q-CALL-1
    const team = this.team(seat);
    this.stopBy(seat, "call", team, right);
    return [event("QuatroCalled", { seat, team, right })];
  }

  /** @param {number} seat @param {number|null} team */
  callCounter(seat, team) {
    const own = this.team(seat);
    if (team === null && this.teams > 2) return refuse("name_a_team"); // Q-COUNTER-1
    const accused = team === null ? 1 - own : team;
    if (accused < 0 || accused >= this.teams) return refuse("no_such_team");
    if (accused === own) return refuse("own_team");
    const right = [accused, accused + this.teams].some((one) => most(this.hands[one]) === 4);
    this.stopBy(seat, "counter", accused, right);
    return [event("CounterCalled", { seat, team: accused, right })];
  }

  /** @param {number} seat */
  askReshuffle(seat) {
    const { now } = this.table;
    if (!this.table.present(seat)) return refuse("not_connected"); // Q-VOTE-1
    if (this.reshuffled) return refuse("already_reshuffled"); // Q-VOTE-4
    if (this.vote) return refuse("vote_open"); // Q-VOTE-5
    if (this.mayVote !== null && now < this.mayVote) return refuse("too_soon", null, this.mayVote);
    this.vote = { asker: seat, deadline: now + this.us("vote_ms"), agreed: new Set() };
    return [event("ReshuffleAsked", { seat, deadline: this.vote.deadline })];
  }

  /** @param {number} seat @param {boolean} agree */
  answer(seat, agree) {
    if (!this.table.present(seat)) return refuse("not_connected");
    if (!this.vote) return refuse("no_vote");
    if (seat === this.vote.asker) return refuse("own_vote"); // Q-VOTE-2
    if (this.vote.agreed.has(seat)) return refuse("already_answered");
    const answered = event("ReshuffleAnswered", { seat, agree });
    if (!agree) return [answered, this.voteFailed("no", seat)];
    this.vote.agreed.add(seat);
    return [answered];
  }

  /** Q-VOTE-3: every human connected now, the asker aside, has agreed. @param {{asker: number, agreed: Set<number>}} vote */
  passes(vote) { return this.table.seats.every((_, seat) => !this.table.present(seat) || seat === vote.asker || vote.agreed.has(seat)); }

  endVote() {
    if (!this.vote) throw new TypeError("only what is due is done");
    if (!this.passes(this.vote)) return [this.voteFailed("silence", null)];
    this.taken = this.centre.map((card) => new Map([[card, past(this.table.n, this.table.now, "house", "reshuffle")]]));
    this.vote = null;
    this.reshuffled = true; // Q-VOTE-4, Q-VOTE-6
    this.mayVote = this.table.now + this.us("vote_gap_ms");
    return [this.deal("CardsReshuffled", new Stream(this.table.key, "deal/1"))];
  }

  /** @param {string} why @param {number|null} seat */
  voteFailed(why, seat) {
    this.vote = null;
    this.mayVote = this.table.now + this.us("vote_gap_ms"); // Q-VOTE-5
    return event("VoteFailed", { why, seat });
  }

  /** @param {number|string} by @param {string} how @param {number|null} [team] @param {boolean} [right] */
  stopBy(by, how, team = null, right = false) {
    this.stop = past(this.table.n, this.table.now, by, how); // Q-STOP-1
    this.vote = null; // Q-VOTE-7
    this.called = team === null ? null : { team, right };
  }

  points() {
    const teams = Array.from({ length: this.teams }, (_, team) => team);
    if (!this.stop || !this.called) return teams.map(() => 0); // Q-TIME-1
    const { team, right } = this.called;
    if (this.stop.why === "call") return teams.map((one) => Number((one === team) === right)); // Q-CALL-1, Q-CALL-2
    const scorer = right ? this.team(Number(this.stop.by)) : team; // Q-COUNTER-2, Q-COUNTER-3
    return teams.map((one) => Number(one === scorer));
  }

  /** Q-WIN-1, Q-WIN-3. @param {number[]} totals @returns {number[]|null} */
  winners(totals) {
    const top = Math.max(...totals);
    return top >= this.rules.target_points ? totals.flatMap((one, team) => (one === top ? [team] : [])) : null;
  }
}

/** `shown` went out, `chosen` goes out at the next beat; `changed`: last taken or given back. @param {boolean} held @param {number|null} changed */
const channel = (held, changed) => ({ held, changed, shown: /** @type {string|null} */ (null), chosen: /** @type {string|null} */ (null), beat: /** @type {number|null} */ (null) });

/** How many of these cards share their rank: what stands before the suit. @param {string[]} cards */
function most(cards) {
  const ranks = cards.map((card) => card.slice(0, -1));
  return Math.max(0, ...ranks.map((rank) => ranks.filter((one) => one === rank).length));
}
