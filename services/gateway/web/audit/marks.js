// What each record is on the timeline: in whose lane, of what form, tied to what it lost to; and who held a channel when.

/** @typedef {{index: number, lane: number, at: number, form: "done"|"refused"|"quatro"|"counter"|"four"|"dot", text?: string, tied?: number|null, margin?: number}} Mark */
/** @typedef {{seat: number, from: number, to: number, beats: number[]}} Hold */

/** Events of the house and the scorer that the table's lane names. @type {Record<string, string>} */
const NAMED = {
  HandsDealt: "deal", CardsDealt: "deal", CardsReshuffled: "reshuffled", VoteFailed: "vote", RoundDrawn: "time", TurnTimedOut: "time",
  RoundAwarded: "award", TableResumed: "resumed",
};
const SMALL = new Set(["ReadySaid", "EntropyCommitted", "SignPicked", "ReshuffleAsked", "ReshuffleAnswered", "SeatTaken", "SeatLeft", "TurnPassed", "BotAdded", "BreakEnded", "GameStarted"]);
const AIR = new Set(["ChannelTaken", "ChannelGiven", "EmojiShown", "EmojiChosen", "EmojiRepeated"]);

/** @param {import("./book.js").Book} book @returns {Mark[]} */
export const marks = (book) => book.scenes.flatMap((scene, index) => mark(book, scene, index) ?? []);

/** @param {import("./book.js").Book} book @param {import("./book.js").Scene} scene @param {number} index @returns {Mark|null} */
function mark(book, scene, index) {
  const lane = typeof scene.by === "number" ? scene.by : book.seats;
  const base = { index, lane, at: scene.at };
  if (scene.refused) {
    const lost = scene.refused.lost_to;
    return { ...base, form: "refused", tied: lost ? book.places.get(lost.version) ?? null : null, margin: lost?.margin_us };
  }
  const types = (scene.events ?? []).map((one) => one.type);
  if (types.includes("QuatroCalled")) return { ...base, form: "quatro" };
  if (types.includes("CounterCalled")) return { ...base, form: "counter" };
  if (types.includes("FamilyExposed") && lane < book.seats) return { ...base, form: "four" };
  if (types.some((type) => type === "CardSwapped" || type === "CardAsked")) return { ...base, form: "done" };
  if (types.some((type) => AIR.has(type))) return null;
  const named = types.find((type) => type in NAMED);
  if (named) return { ...base, lane: book.seats, form: "dot", text: NAMED[named] };
  return types.some((type) => SMALL.has(type)) || lane === book.seats ? { ...base, form: "dot" } : null;
}

/** Who held a channel from when to when, and its beats. @param {import("./book.js").Book} book @returns {Hold[]} */
export function holds(book) {
  /** @type {Hold[]} */
  const found = [];
  /** @type {Map<number, Hold>} */
  const open = new Map();
  const close = (/** @type {number} */ seat, /** @type {number} */ at) => { const hold = open.get(seat); if (hold) hold.to = at; open.delete(seat); };
  for (const scene of book.scenes) {
    for (const { type, seat } of scene.events ?? []) {
      if (type === "ChannelTaken") { const hold = { seat, from: scene.at, to: book.end, beats: [] }; found.push(hold); open.set(seat, hold); }
      if (type === "ChannelGiven") close(seat, scene.at);
      if (type === "EmojiShown" || type === "EmojiRepeated") open.get(seat)?.beats.push(scene.at);
      if (type === "QuatroCalled" || type === "CounterCalled" || type === "RoundDrawn") for (const held of [...open.keys()]) close(held, scene.at);
    }
  }
  return found;
}

/** Time and place on the line: the preparation, of which little is to be seen, gets a strip of its own at the left. */
export class Scale {
  /** @param {import("./book.js").Book} book @param {number} room in pixels @param {number} least pixels a second */
  constructor(book, room, least) {
    this.first = book.scenes[0].at;
    this.zero = book.zero;
    this.left = this.first < this.zero ? 16 + PREPARED : 16;
    const seconds = Math.max(1, (book.end - book.zero) / 1e6);
    this.rate = Math.min(Math.max((room - this.left - RIGHT) / seconds, least), Math.max(1, WIDEST / seconds));
    this.width = Math.max(room, Math.ceil(this.left + seconds * this.rate + RIGHT));
    this.seconds = seconds;
  }

  /** @param {number} at */
  x(at) {
    if (at >= this.zero) return this.left + ((at - this.zero) / 1e6) * this.rate;
    return 16 + (PREPARED - 14) * ((at - this.first) / (this.zero - this.first));
  }

  /** @param {number} x */
  at(x) {
    if (x >= this.left || this.first === this.zero) return this.zero + ((x - this.left) / this.rate) * 1e6;
    return this.first + ((x - 16) / (PREPARED - 14)) * (this.zero - this.first);
  }

  /** Whole seconds to be written over the line. */
  ticks() {
    const step = [1, 2, 5, 10, 30, 60, 120, 300, 600].find((one) => one * this.rate >= 64) ?? 1800;
    return Array.from({ length: Math.floor(this.seconds / step) + 1 }, (_, i) => i * step);
  }
}
const PREPARED = 84;
const RIGHT = 84;
const WIDEST = 24_000;
