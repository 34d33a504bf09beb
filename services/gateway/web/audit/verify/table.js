// A table in one round, as of its last record: seats, host, preparation, break; the game's part is the game's.
// A decision that is made happens at once: the first that is not as recorded ends the check.
import { commitment, entropyHash, roundKey } from "./chance.js";
import { hex, joined, big, pairs, sha256, unhex, utf8 } from "./bytes.js";
import { CLOSING, due, END_OF_BREAK, event, HOST, lostTo, OPENING, OTHER, past, refuse } from "./decide.js";
import { Wrong } from "./json.js";
import { Kwartet } from "./kwartet.js";
import { Quatro } from "./quatro.js";

/** @typedef {import("./decide.js").Decision} Decision */
/** @typedef {import("./decide.js").Json} Json */
/** @typedef {{player: string|null, bot: string|null, connected: boolean, since: number, left: boolean}} Seat */

/** @type {Map<string, typeof Quatro | typeof Kwartet>} */
export const GAMES = new Map(/** @type {any} */ ([["quatro", Quatro], ["kwartet", Kwartet]]));
export const REVISION = 1;
const SECOND = 1_000_000;
const [HOST_AWAY, ALONE, BOTS_OVER, KWARTET_BREAK] = [20 * SECOND, 1800 * SECOND, 600 * SECOND, 30 * SECOND];
const SEATS_OPEN = ["break", "over"]; // T-SEAT-1; the seating itself lies in round 0, of which there is no bundle
const HOST_COMMANDS = new Set(["AddBot", "RemoveBot", "FreeSeat", "StartGame", "NewGame", "EndBreak"]);

/** @param {Partial<Seat>} [is] @returns {Seat} */
const seatOf = (is = {}) => ({ player: null, bot: null, connected: false, since: 0, left: false, ...is });

/** What says nothing is left out. @param {Json} fields @returns {Json} */
const spoken = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== false && value !== 0));

export class Table {
  /** @param {string} id @param {any} carry what the round before left */
  constructor(id, carry) {
    this.id = id;
    this.carry = carry;
    this.kind = /** @type {typeof Quatro} */ (GAMES.get(carry.game));
    if (!this.kind) throw new TypeError("no such game");
    this.rules = carry.rules;
    /** @type {Seat[]} */ this.seats = carry.seats.map(seatOf);
    this.host = { ...carry.host };
    this.round = carry.round;
    /** @type {number[]} */ this.points = [...carry.points];
    this.n = carry.version;
    this.now = this.at = carry.at;
    this.phase = carry.phase;
    /** @type {({version: number, at: number}|null)[]} */ this.takings = [...carry.takings];
    this.lostRaces = carry.lost_races ?? 0;
    this.hadHuman = carry.had_human ?? false;
    /** @type {number|null} */ this.aloneSince = carry.alone_since ?? null;
    /** @type {number|null} */ this.deadline = carry.deadline ?? null;
    this.gameCarry = carry.carry ?? null;
    this.awardedAt = carry.awarded_at ?? null;
    /** @type {number[]|null} */ this.winners = carry.winners ?? null;
    this.overBy = carry.stop ? past(carry.stop.version, carry.stop.at, carry.stop.by, carry.stop.how) : null;
    this.sleeping = false;
    /** @type {Quatro|null} */ this.play = null;
    this.refusals = this.seats.map(() => 0);
    this.key = new Uint8Array();
    this.house = new Uint8Array();
    /** @type {boolean[]} */ this.ready = [];
    /** @type {(string|null)[]} */ this.hashes = [];
    /** @type {(Uint8Array|null)[]} */ this.entropy = [];
    this.commitmentsClosed = false;
    this.nothingSaid();
  }

  nothingSaid() {
    this.ready = this.seats.map(() => false);
    this.hashes = this.seats.map(() => null);
    this.entropy = this.seats.map(() => null);
    this.commitmentsClosed = false;
  }

  /** What stopped this round, or the last until the next is prepared. */
  get stoppedBy() { return this.play ? this.play.stop : this.overBy; }
  /** Whether a preparation has begun and the round is not open. */
  get prepared() { return this.phase === "preparing" && this.play !== null; }
  get seatsOpen() { return SEATS_OPEN.includes(this.phase); }

  /** A person sits here. @param {Seat} seat */
  human(seat) { return seat.player !== null && seat.bot === null && !seat.left; }
  /** A connected person sits here. @param {number} number */
  present(number) { return this.human(this.seats[number]) && this.seats[number].connected; }
  get anyPresent() { return this.seats.some((_, number) => this.present(number)); }

  /** The seat of a player; who left a running round has none (T-SEAT-2). @param {string} player */
  seatOf(player) {
    const found = this.seats.findIndex((seat) => seat.player === player);
    return found < 0 || this.seats[found].left ? null : found;
  }

  // Deadlines

  /** What is due, first things first; what was due before the last record is due at its time (T-LATE-2). */
  due() {
    const found = this.phase === "scoring" ? [] : [...this.dueInPhase(), ...this.dueAlways()];
    return found.map((one) => ({ ...one, at: Math.max(one.at, this.at) })).sort((a, b) => a.at - b.at || a.order - b.order || a.seat - b.seat);
  }

  dueInPhase() {
    if (this.phase === "playing") return this.sleeping || !this.play ? [] : this.play.due();
    if (this.phase === "preparing") return [this.duePreparing()];
    if (this.phase === "break" && this.deadline !== null) return [due(this.deadline, END_OF_BREAK, 0, event("EndBreak"))];
    if (this.phase === "over" && !this.hadHuman) return [due((this.awardedAt ?? 0) + BOTS_OVER, CLOSING, 0, event("Close", { reason: "finished" }))]; // T-IDLE-1
    return [];
  }

  duePreparing() {
    if (!this.play || this.deadline === null) return due(0, OTHER, 0, event("Prepare"));
    const waitedFor = this.seats.some((seat, number) => seat.player !== null && seat.bot === null && !this.ready[number]);
    return due(waitedFor ? this.deadline : 0, OPENING, 0, event("Open")); // T-PREP-1
  }

  dueAlways() {
    const found = [];
    const others = this.seats.filter((seat, number) => this.present(number) && seat.player !== this.host.player).map((seat) => seat.since);
    if (!this.host.connected && others.length) { // T-HOST-2
      const gone = this.host.since + (this.host.left ? 0 : HOST_AWAY);
      found.push(due(Math.max(gone, Math.min(...others)), HOST, 0, event("PassHost")));
    }
    if (this.aloneSince !== null) found.push(due(this.aloneSince + ALONE, CLOSING, 0, event("Close", { reason: "alone" }))); // T-IDLE-1
    return found;
  }

  // Decisions

  /** In the order of the rulings: round, seat, host, phase, then the command's own reasons. @param {string} player @param {number|null} seat @param {Json} command @param {number|undefined} meant @returns {Decision} */
  playerDoes(player, seat, command, meant) {
    const kind = command.type;
    const playing = this.kind.playing.has(kind);
    if (meant !== undefined && meant !== this.round && !(playing && this.justOver(meant))) return refuse("wrong_round"); // T-ID-1
    if (HOST_COMMANDS.has(kind) || this.kind.hosts.has(kind)) {
      if (player !== this.host.player) return refuse(seat === null ? "not_seated" : "not_host");
    } else if (seat === null && kind !== "Sit") return refuse("not_seated");
    if (playing || this.kind.preparing.has(kind)) return this.inTheGame(seat ?? -1, command, playing);
    return this.atTheTable(player, seat, command);
  }

  /** @param {string} player @param {number|null} seat @param {Json} command @returns {Decision} */
  atTheTable(player, seat, command) {
    switch (command.type) {
      case "Sit": return this.sit(player, seat, command.seat);
      case "Leave": return [this.free(/** @type {number} */ (seat), this.seatsOpen ? "SeatFreed" : "SeatLeft")];
      case "AddBot": return this.addBot(command);
      case "RemoveBot": return this.removeBot(command.seat);
      case "FreeSeat": return this.freeSeat(player, command.seat);
      case "StartGame": return refuse("already_started");
      case "NewGame": return this.newGame();
      case "EndBreak": return this.phase === "break" ? [this.endBreak()] : refuse("not_in_break");
      case "CommitEntropy": return this.commitEntropy(/** @type {number} */ (seat), command.hash);
      case "Ready": return this.sayReady(/** @type {number} */ (seat), command.entropy);
      default: throw new Wrong("sender", `no player can send ${command.type}`);
    }
  }

  /** @param {number} meant */
  justOver(meant) { return !this.play && this.overBy !== null && meant === this.round - 1; }

  /** @param {number} seat @param {Json} command @param {boolean} playing @returns {Decision} */
  inTheGame(seat, command, playing) {
    if (!playing && !this.prepared) return refuse("not_preparing");
    if (playing && this.phase !== "playing") {
      const stop = this.stoppedBy;
      if (!stop) return refuse("round_not_open");
      return refuse("round_over", lostTo(stop.version, stop.by, this.now - stop.at, stop.by === "house" ? stop.why : null));
    }
    if (!this.play) throw new TypeError("prepared or open");
    return this.played(this.play.seatDoes(seat, command));
  }

  /** @param {Decision} found */
  played(found) {
    if (this.play?.stop) [this.phase, this.sleeping] = ["scoring", false];
    return found;
  }

  // Seats (T-SEAT, T-START, T-HOST)

  /** @param {string} player @param {number|null} seat @param {number|null} to @returns {Decision} */
  sit(player, seat, to) {
    if (!this.seatsOpen) return refuse("seats_closed");
    if (seat !== null && (to === null || to === seat)) return refuse("already_seated");
    const wanted = this.freeAt(to);
    if (typeof wanted !== "number") return wanted;
    const said = seat === null ? false : this.ready[seat];
    if (seat !== null) this.put(seat, seatOf());
    this.put(wanted, seatOf({ player, connected: true, since: this.now }), said);
    if (this.host.player === player) this.hostIs(true, false);
    this.seatsChanged();
    return [event("SeatTaken", { seat: wanted, player, moved_from: seat }), ...this.wake()];
  }

  /** @param {number|null} wanted @returns {number|Json} */
  freeAt(wanted) {
    if (wanted === null) {
      const free = this.seats.findIndex((seat) => seat.player === null);
      return free >= 0 ? free : refuse("table_full", this.takenLast(this.lastTaken()));
    }
    if (wanted < 0 || wanted >= this.seats.length) return refuse("no_such_seat");
    return this.seats[wanted].player === null ? wanted : refuse("seat_taken", this.takenLast(wanted));
  }

  /** The seat that was taken last; the first of several. */
  lastTaken() {
    const order = (/** @type {number} */ seat) => this.takings[seat] ?? { version: 0, at: 0 };
    return this.seats.reduce((best, _, seat) => (order(seat).version - order(best).version || order(seat).at - order(best).at) > 0 ? seat : best, 0);
  }

  /** @param {number} seat */
  takenLast(seat) {
    const taken = this.takings[seat];
    return taken ? lostTo(taken.version, seat, this.now - taken.at, null) : null;
  }

  /** @param {number} number @param {Seat} seat @param {boolean} [said] */
  put(number, seat, said = false) {
    this.seats[number] = seat;
    this.ready[number] = said;
    this.takings[number] = seat.player === null ? null : { version: this.n, at: this.now };
  }

  seatsChanged() {
    this.hadHuman ||= this.seats.some((seat) => this.human(seat));
    if (this.anyPresent) this.aloneSince = null;
    else if (this.hadHuman && this.aloneSince === null) this.aloneSince = this.now;
  }

  /** @param {boolean} connected @param {boolean} left */
  hostIs(connected, left) {
    const since = this.host.connected === connected ? this.host.since : this.now;
    this.host = { player: this.host.player, connected, since, left };
  }

  /** The seat is empty from now on; or its player counts as gone until it is (T-SEAT-2). @param {number} number */
  free(number, kind = "SeatFreed") {
    const { player, bot } = this.seats[number];
    if (player === this.host.player) this.hostIs(false, true);
    if (kind === "SeatFreed") this.put(number, seatOf());
    else this.seats[number] = seatOf({ player, bot, since: this.now, left: true });
    this.seatsChanged();
    return event(kind, { seat: number, player });
  }

  /** @param {Json} command @returns {Decision} */
  addBot(command) {
    const level = command.level ?? this.kind.levels[1];
    if (!this.seatsOpen) return refuse("seats_closed");
    if (!this.kind.levels.includes(level)) return refuse("no_such_level");
    const wanted = this.freeAt(command.seat);
    if (typeof wanted !== "number") return wanted;
    const bot = botId(this.id, this.n);
    this.put(wanted, seatOf({ player: bot, bot: level, since: this.now }));
    this.seatsChanged();
    return [event("BotAdded", { seat: wanted, player: bot, level })];
  }

  /** @param {number} seat @returns {Decision} */
  removeBot(seat) {
    if (!this.seatsOpen) return refuse("seats_closed");
    if (!(seat in this.seats) || this.seats[seat].player === null) return refuse("no_such_seat");
    return this.seats[seat].bot === null ? refuse("not_a_bot") : [this.free(seat)];
  }

  /** @param {string} player @param {number} seat @returns {Decision} */
  freeSeat(player, seat) {
    if (!this.seatsOpen) return refuse("seats_closed");
    return !(seat in this.seats) || [null, player].includes(this.seats[seat].player) ? refuse("no_such_seat") : [this.free(seat)];
  }

  /** @returns {Decision} */
  newGame() {
    if (this.phase !== "over") return refuse("not_over");
    if (!this.hadHuman) return refuse("seats_closed"); // T-IDLE-1
    if (this.seats.some((seat) => seat.player === null)) return refuse("seats_empty"); // T-START-1
    this.phase = "preparing";
    this.points = this.points.map(() => 0); // Q-WIN-4
    return [event("GameStarted")];
  }

  endBreak() {
    [this.phase, this.deadline, this.sleeping] = ["preparing", null, false];
    this.nothingSaid();
    return event("BreakEnded");
  }

  // The preparation (T-PREP-1, T-CHANCE-1)

  /** @param {number} seat @param {string} hash @returns {Decision} */
  commitEntropy(seat, hash) {
    if (!this.prepared) return refuse("not_preparing");
    if (this.commitmentsClosed || this.hashes[seat] !== null || this.seats[seat].bot !== null) return refuse("commitments_closed");
    this.hashes[seat] = hash;
    return [event("EntropyCommitted", { seat, hash })];
  }

  /** @param {number} seat @param {string|null} entropy @returns {Decision} */
  sayReady(seat, entropy) {
    if (this.phase !== "break" && !this.prepared) return refuse("not_preparing");
    if (this.ready[seat] || this.seats[seat].bot !== null) return refuse("already_ready");
    if (this.phase === "break") { // Q-TIME-2: the last connected human who says so ends it
      this.ready[seat] = true;
      const waiting = this.seats.some((_, number) => this.present(number) && !this.ready[number]);
      const said = event("ReadySaid", { seat, entropy: null });
      return waiting ? [said] : [said, this.endBreak()];
    }
    const brought = entropy === null || this.hashes[seat] === null ? null : pairs(entropy);
    if (brought && entropyHash(brought, this.id, this.round, seat) !== this.hashes[seat]) return refuse("entropy_unfit");
    [this.ready[seat], this.entropy[seat], this.commitmentsClosed] = [true, brought, true];
    return [event("ReadySaid", { seat, entropy: brought ? hex(brought) : null })];
  }

  // The house; what is due was established before

  /** @param {Json} command @param {boolean} afterTimeOut @returns {Decision} */
  houseDoes(command, afterTimeOut) {
    const kind = command.type;
    if (this.kind.house.has(kind)) {
      if (!this.play) throw new TypeError("only what is due is done");
      return this.kind.maySleep && this.nobody() ? [this.sleep()] : this.played(this.play.houseDoes(command));
    }
    switch (kind) {
      case "EndBreak": return [this.nobody() ? this.sleep() : this.endBreak()];
      case "Connect": return this.presence(command, true);
      case "Disconnect": return this.presence(command, false);
      case "Prepare": return this.prepare(command.house);
      case "Open": return this.open();
      case "PassHost": return this.passHost();
      case "Resumed": return this.resume(command, afterTimeOut);
      case "Close": this.phase = "closed"; return [event("TableClosed", { reason: command.reason })];
      default: throw new TypeError(`the house can't do ${kind}`);
    }
  }

  /** T-IDLE-1: no human is connected, at a table that had one. */
  nobody() { return this.hadHuman && !this.anyPresent; }

  sleep() {
    [this.sleeping, this.deadline] = [true, null];
    return event("TableSlept");
  }

  wake() {
    if (!this.sleeping) return [];
    this.sleeping = false;
    if (this.phase === "playing" && this.play) this.play.woken();
    else this.deadline = this.now + this.breakUs();
    return [event("TableWoke")];
  }

  breakUs() { return "break_ms" in this.rules ? this.rules.break_ms * 1000 : KWARTET_BREAK; }

  /** @param {Json} command @param {boolean} connected @returns {Decision} */
  presence({ player, cause }, connected) {
    const seat = this.seatOf(player);
    if (seat === null && player !== this.host.player) return refuse("not_seated");
    if (connected === (seat === null ? this.host.connected : this.seats[seat].connected)) return [];
    if (player === this.host.player) this.hostIs(connected, this.host.left && !connected);
    if (seat !== null) {
      Object.assign(this.seats[seat], { connected, since: this.now });
      this.seatsChanged();
    }
    const woken = connected && seat !== null ? this.wake() : [];
    return [event(connected ? "PlayerConnected" : "PlayerDisconnected", { player, seat, cause }), ...woken];
  }

  /** @param {string} house @returns {Decision} */
  prepare(house) {
    this.house = unhex(house, 32);
    this.play = new this.kind(this);
    this.overBy = null;
    this.deadline = this.now + this.rules.prepare_ms * 1000;
    this.nothingSaid();
    return [event("RoundPrepared", { house, commitment: commitment(this.house, this.id, this.round), deadline: this.deadline })];
  }

  open() {
    if (!this.play) throw new TypeError("only what is due is done");
    this.key = roundKey(this.house, this.id, this.round, this.entropy);
    [this.phase, this.deadline] = ["playing", null];
    return this.played([event("RoundOpened", { key: hex(this.key) }), ...this.play.open(this.key)]);
  }

  passHost() {
    const number = this.seats.findIndex((seat, i) => this.present(i) && seat.player !== this.host.player);
    const { player, since } = this.seats[number];
    this.host = { player, connected: true, since, left: false };
    return [event("HostPassed", { player, seat: number })];
  }

  /** @param {Json} command @param {boolean} afterTimeOut */
  resume(command, afterTimeOut) {
    if (this.phase === "playing" && !this.sleeping && this.play) /** @type {{resumed: (after: boolean) => void}} */ (this.play).resumed(afterTimeOut);
    return [event("TableResumed", { from: command.from, to: command.to })];
  }

  /** T-AWARD-1: the points must be what the rules give; the round ends with this record. @param {Json} command @returns {Decision} */
  award(command) {
    const stop = this.stoppedBy;
    if (this.phase !== "scoring" || !this.play || !stop) throw new Wrong("award", "no round waits for its points");
    if (command.version < stop.version || command.version > this.n - 1) throw new Wrong("award", "awarded for a record that is not the stop or after it");
    const points = this.play.points();
    if (String(command.points) !== String(points)) throw new Wrong("award", `the rules give the points ${points}`);
    this.points = this.points.map((before, i) => before + points[i]);
    this.awardedAt = this.now;
    const winners = this.winners = this.play.winners(this.points);
    this.phase = winners === null ? "break" : "over";
    this.deadline = winners === null ? this.now + this.breakUs() : null;
    const freed = this.seats.flatMap((seat, number) => (seat.left ? [this.free(number)] : []));
    return [event("RoundAwarded", { points, winners, deadline: this.deadline }), ...freed];
  }

  /** What the round after this one begins with, but for `last_round`, which shows this one again. */
  left() {
    const { carry, play, stoppedBy: stop } = this;
    if (!play || !stop) throw new Wrong("award", "no round was stopped");
    return {
      created_at: carry.created_at, game: carry.game, private: carry.private, revision: carry.revision, rules: carry.rules,
      at: this.now, version: this.n, round: this.round + 1, phase: this.phase, points: this.points, last_first_version: carry.version + 1,
      host: this.host, takings: this.takings, seats: this.seats.map((seat) => spoken({ ...seat })),
      ...spoken({
        alone_since: this.aloneSince, awarded_at: this.awardedAt, deadline: this.deadline, had_human: this.hadHuman, lost_races: this.lostRaces, winners: this.winners,
        stop: { version: stop.version, at: stop.at, by: stop.by, how: stop.why }, carry: play.carry(),
      }),
    };
  }

  /** What a table must be that a round begins with. @param {any} carry @returns {string|null} */
  fault(carry) {
    const { kind, seats } = this;
    if (!kind.seatCounts.includes(seats.length) || this.takings.length !== seats.length) return "no such number of seats";
    if (this.points.length !== kind.sides(seats.length) || !["preparing", "break", "over"].includes(carry.phase)) return "points or phase are none that a round begins with";
    return this.gameCarry !== null && !kind.carries(this.gameCarry) ? "the game carries something else" : null;
  }
}

/** A bot's player id: it follows from table and record. @param {string} table @param {number} version */
function botId(table, version) {
  const digest = sha256(joined(utf8("quartet/bot/1\0"), utf8(table), big(version, 8))).slice(0, 16);
  digest[6] = (digest[6] & 0x0f) | 0x40;
  digest[8] = (digest[8] & 0x3f) | 0x80;
  return hex(digest).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

