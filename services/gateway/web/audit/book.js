// A finished round as the service replays it (docs/disputes.md): read page by page, and what anyone saw at any moment.
import { ask } from "../api.js";
import { language, t } from "../i18n.js";

/** @typedef {{version: number, at: number, by: number|string, player: string|null, command: any, events: any[]|null, refused: any, via: any, epoch: number, hash: string, commit: number|null, committed: number|null, shown: boolean, public: any, own: Record<string, any>, race: any}} Scene */
/** @typedef {number | "above" | "watching"} From */

/** Reads the whole round; `progress` hears how many scenes there are so far. @param {string} table @param {number} round @param {(n: number) => void} progress @returns {Promise<import("../api.js").Answer>} */
export async function fetchRound(table, round, progress) {
  const code = codeOf(table);
  const more = code ? `&code=${encodeURIComponent(code)}` : "";
  const [names, info] = [namesOf(table, code), ask("GET", `/tables/${table}${code ? `?code=${encodeURIComponent(code)}` : ""}`)];
  /** @type {Scene[]} */
  const scenes = [];
  let head = null;
  /** @type {number|null} */
  let from = 0;
  while (from !== null) {
    const answer = await ask("GET", `/tables/${table}/rounds/${round}/replay?from=${from}${more}`);
    if (!answer.ok) return answer;
    head = answer.value.head;
    for (const scene of answer.value.scenes) scenes.push(filled(scene, scenes.at(-1)));
    from = answer.value.next;
    progress(scenes.length);
  }
  const known = await info;
  return { ok: true, value: new Book(head, scenes, await names, code ?? (known.ok ? known.value.code ?? null : null)) };
}

/** What is absent is as in the scene before. @param {any} scene @param {Scene|undefined} before @returns {Scene} */
const filled = (scene, before) => ({ ...scene, public: scene.public ?? before?.public, own: { ...before?.own, ...scene.own } });

/** A private table's code, where this tab came by it. @param {string} table @returns {string|null} */
function codeOf(table) {
  try { return JSON.parse(sessionStorage.getItem("quartet.codes") || "{}")[table] ?? null; } catch { return null; }
}

/** Who sits there now is called as the table calls them. @param {string} table @param {string|null} code @returns {Promise<Map<string, string>>} */
async function namesOf(table, code) {
  const answer = await ask("GET", `/tables/${table}/view${code ? `?code=${encodeURIComponent(code)}` : ""}`);
  const seats = answer.ok ? answer.value.public?.seats ?? [] : [];
  return new Map(seats.filter((seat) => seat.player && seat.name).map((seat) => [seat.player, seat.name]));
}

export class Book {
  /** @param {any} head @param {Scene[]} scenes @param {Map<string, string>} names @param {string|null} code */
  constructor(head, scenes, names, code) {
    this.head = head;
    this.scenes = scenes;
    this.code = code;
    this.names = names;
    this.seats = scenes[0].public.seats.length;
    const opened = scenes.find((scene) => scene.events?.some((one) => one.type === "RoundOpened"));
    this.zero = opened?.at ?? scenes[0].at;
    this.end = scenes.reduce((latest, scene) => Math.max(latest, scene.at, scene.committed ?? 0), 0);
    this.races = scenes.flatMap((scene, index) => (scene.race ? [{ index, race: scene.race }] : []));
    this.places = new Map(scenes.map((scene, index) => [scene.version, index]));
  }

  /** What the table is called: by its code, else by its id. */
  get title() { return this.code ?? this.head.table.slice(0, 8); }

  get game() { return this.head.game; }

  /** @param {number} seat @param {number} [index] of the scene: seats change hands in a break */
  name(seat, index = this.scenes.length - 1) {
    const it = this.scenes[index].public.seats[seat] ?? {};
    const known = it.name ?? this.names.get(it.player) ?? this.head.seats.find((one) => one.player && one.player === it.player)?.name;
    return known ?? t(it.bot ? "audit.bot" : "audit.seat", { n: seat + 1 });
  }

  /** Who sent it: a seat's name, the house, the scorer. @param {number|string} by @param {number} [index] */
  sender(by, index) {
    if (typeof by === "number") return this.name(by, index);
    if (by === "house") return t("audit.house");
    if (by === "scoring") return t("audit.scoring");
    return t(by.startsWith("ops:") ? "audit.ops" : "audit.someone");
  }

  /** @param {number} seat */
  team(seat) { return /** @type {number|undefined} */ (this.scenes[0].public.seats[seat].team); }

  /** The last scene that was decided by then. @param {number} at */
  indexAt(at) {
    let low = 0;
    for (let high = this.scenes.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if (this.scenes[middle].at <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** What was seen from there: from above everything at once, else what had been sent by then. @param {From} from @param {number} index @param {number} at */
  seen(from, index, at) {
    if (from === "above") return { public: this.scenes[index].public, own: this.scenes[index].own, index, behind: 0 };
    let last = -1;
    for (let i = 0; i < this.scenes.length && this.scenes[i].at <= at; i++) {
      const { shown, committed } = this.scenes[i];
      if (shown && (committed ?? this.scenes[i].at) <= at) last = i;
    }
    const scene = this.scenes[Math.max(0, last)];
    const own = from === "watching" ? {} : { [from]: scene.own[from] };
    return { public: scene.public, own, index: Math.max(0, last), behind: index - Math.max(0, last) };
  }
}

/** The reader's way with dates; English ones as most of the world writes them. */
export const locale = () => (language === "en" ? "en-GB" : language);

/** A time of the round: 0:41.312, or −0:03.2 before it opened. @param {number} us @param {number} [digits] */
export function clock(us, digits = 3) {
  const unit = 10 ** (6 - digits);
  const whole = Math.trunc(Math.abs(us) / unit);
  const seconds = Math.trunc(whole / 10 ** digits);
  const rest = digits ? `.${String(whole % 10 ** digits).padStart(digits, "0")}` : "";
  return `${us < 0 ? "−" : ""}${Math.trunc(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}${rest}`;
}
