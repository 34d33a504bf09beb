// One table over its socket: the newest view, the commands under way, and coming back. It knows no game and keeps nothing old.
import { uuid } from "./api.js";
import * as clock from "./clock.js";
import { keep } from "./receipts.js";
import { me, remember } from "./settings.js";

/** @typedef {import("./types.js").Verdict} Verdict */
/** @typedef {import("./types.js").Command} Command */
/** @typedef {"opening"|"live"|"lost"|"ended"} Status */

const SILENCE_MS = 11_000; // two beats and some
const WAKE_MS = 2_000; // so long a socket has to answer when it is looked at again
const PING_MS = 20_000;
const RESYNC_MS = 1_000;
const RESEND_MS = 5_000; // after that the sender has long given up

export class Live {
  /** @type {any} */ public = null;
  /** @type {any} */ own = null;
  /** @type {Status} */ status = "opening";
  /** Why the server closed on purpose. @type {string|null} */ reason = null;
  /** The code it was closed with, where asking again changes nothing. */ closedWith = 0;
  epoch = -1;
  n = -1;

  /** @type {WebSocket|null} */ #socket = null;
  /** @type {Map<string, {frame: any, at: number, answer: (verdict: Verdict) => void}>} */ #asked = new Map();
  #tries = 0;
  #retryMs = 0;
  #heard = 0;
  #resynced = 0;
  #whole = true;
  /** @type {Map<number, number>} */ #pings = new Map();
  /** @type {ReturnType<typeof setTimeout>[]} */ #timers = [];

  /**
   * @param {string} id @param {string|null} code of a private table
   * @param {(before: {public: any, own: any}|null, news: any[]) => void} viewed called for each newer view
   * @param {() => void} changed called when the connection's state changes
   */
  constructor(id, code, viewed, changed) {
    this.id = id;
    this.code = code;
    this.viewed = viewed;
    this.changed = changed;
    this.wake = () => { if (!document.hidden) this.#wake(); };
    for (const kind of ["online", "pageshow", "focus"]) addEventListener(kind, this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#timers.push(setInterval(() => this.#ping(), PING_MS), setInterval(() => this.#listen(), 1000));
    this.#open();
  }

  /** Sends a command and gives its verdict; one that cannot be sent now is `unknown`. @param {Command} command @returns {Promise<Verdict>} */
  send(command) {
    const id = uuid();
    if (this.status !== "live") return Promise.resolve({ type: "unknown", id, accepted: false, refused: "offline" });
    const frame = { type: "command", id, round: this.public?.round, sent: clock.now(), command };
    return new Promise((answer) => {
      this.#asked.set(id, { frame, at: performance.now(), answer });
      this.#write(frame);
    });
  }

  close() {
    this.status = "ended";
    for (const timer of this.#timers) clearInterval(timer);
    for (const kind of ["online", "pageshow", "focus"]) removeEventListener(kind, this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.#socket?.close(1000);
  }

  #open() {
    if (this.status === "ended") return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.id}/live`, "quartet.v1");
    this.#socket = socket;
    this.#heard = performance.now();
    socket.onopen = () => {
      const hello = { type: "hello", ...(me.token && { token: me.token, receipts: "signed" }), ...(this.code && { code: this.code }) };
      socket.send(JSON.stringify(hello));
      this.#ping();
    };
    socket.onmessage = (event) => { if (socket === this.#socket) this.#read(JSON.parse(event.data)); };
    socket.onclose = (event) => { if (socket === this.#socket) this.#lost(event); };
  }

  /** @param {any} frame */
  #read(frame) {
    this.#heard = performance.now();
    switch (frame.type) {
      case "view": return this.#view(frame);
      case "beat": return this.#beat(frame);
      case "verdict": return this.#verdict(frame);
      case "unknown": return this.#verdict({ ...frame, accepted: false, refused: "unknown" });
      case "error": return this.#verdict({ ...frame, accepted: false, refused: frame.code });
      case "token":
        remember({ token: frame.token });
        return;
      case "closing":
        this.reason = frame.reason;
        this.#retryMs = frame.retry_ms ?? 0;
    }
  }

  /** @param {import("./types.js").ViewFrame} frame */
  #view(frame) {
    clock.note(frame.now);
    const newer = frame.epoch > this.epoch || (frame.epoch === this.epoch && frame.n > this.n);
    const same = frame.epoch === this.epoch && frame.n === this.n;
    if (!newer && !(same && this.#resynced)) return;
    if (frame.epoch === this.epoch && frame.n > this.n + 1 && !this.#whole) this.#resync();
    const before = this.public ? { public: this.public, own: this.own } : null;
    const back = this.status !== "live";
    this.epoch = frame.epoch;
    this.n = frame.n;
    if (frame.public !== undefined) this.public = frame.public;
    if (frame.own !== undefined) this.own = frame.own;
    this.#whole = false;
    this.status = "live";
    this.reason = null;
    this.#tries = 0;
    if (back) this.#resend();
    if (this.public) this.viewed(back ? null : before, frame.news ?? []);
  }

  /** @param {import("./types.js").BeatFrame & {t?: number}} frame */
  #beat(frame) {
    const sent = frame.t === undefined ? undefined : this.#pings.get(frame.t);
    clock.note(frame.now, sent === undefined ? undefined : (performance.now() - sent) * 1000);
    if (frame.t !== undefined) this.#pings.delete(frame.t);
    if (frame.epoch > this.epoch || (frame.epoch === this.epoch && frame.n > this.n)) this.#resync();
  }

  /** @param {Verdict} verdict */
  #verdict(verdict) {
    this.#asked.get(verdict.id)?.answer(verdict);
    this.#asked.delete(verdict.id);
    keep(verdict);
  }

  #resync() {
    if (this.#resynced && performance.now() - this.#resynced < RESYNC_MS) return; // a page younger than that may ask, too
    this.#resynced = performance.now();
    this.#write({ type: "resync" });
  }

  /** The same ids again after a break: the table answers each with the verdict it already gave (T-ID-1). */
  #resend() {
    for (const [id, { frame, at, answer }] of this.#asked) {
      if (performance.now() - at < RESEND_MS) this.#write(frame);
      else {
        this.#asked.delete(id);
        answer({ type: "unknown", id, accepted: false, refused: "unknown" });
      }
    }
  }

  #ping() {
    const t = Math.round(performance.now() * 1000);
    this.#pings.set(t, performance.now());
    if (this.#pings.size > 8) this.#pings.delete([...this.#pings.keys()][0]);
    this.#write({ type: "ping", t });
  }

  #listen() {
    const socket = this.#socket;
    if (socket && performance.now() - this.#heard > SILENCE_MS) {
      this.#socket = null;
      socket.close();
      this.#lost();
    }
  }

  /** Looked at again after sleep: what is dead is found at once, what lives says where it is (C-24). */
  #wake() {
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#heard = performance.now() - SILENCE_MS + WAKE_MS; // a clock that slept too may call a dead socket fresh
      this.#ping();
    } else if (this.status === "lost") {
      this.#tries = 0;
      this.#again(0);
    }
  }

  /** @param {CloseEvent} [event] */
  #lost(event) {
    if (this.status === "ended") return;
    this.#socket = null;
    this.#whole = true;
    // 4xxx: the server means it; a bad token or an unknown table does not get better by asking again.
    if (event && event.code >= 4400 && event.code < 4500 && event.code !== 4408 && event.code !== 4429) {
      this.status = "ended";
      this.closedWith = event.code;
      if (event.code === 4401) remember({ token: null, player: null });
    } else {
      this.status = this.public ? "lost" : "opening";
      const wait = this.#retryMs || Math.min(5000, 250 * 2 ** this.#tries);
      this.#retryMs = 0;
      this.#tries += 1;
      this.#again(wait * (0.7 + Math.random() * 0.6));
    }
    this.changed();
  }

  /** @type {ReturnType<typeof setTimeout>|undefined} */ #retry;

  /** @param {number} ms */
  #again(ms) {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => { if (!this.#socket) this.#open(); }, ms);
  }

  /** @param {unknown} frame */
  #write(frame) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}
