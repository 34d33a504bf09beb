// A table as the page holds it: its connection, what the API says of it, and the screen that fits its phase.
import { ask } from "./api.js";
import { saw } from "./audit/witness.js";
import { coded, t } from "./i18n.js";
import { html } from "./lib.js";
import { Live } from "./live.js";
import { game as gameOf } from "./games/index.js";
import { say, shout } from "./say.js";
import { go } from "./route.js";
import { notice, redraw, sheet, toast, ui } from "./state.js";
import { Lobby, lobbyChanged } from "./shell/lobby.js";
import { Ended } from "./shell/arrive.js";
import { left, minutes } from "./clock.js";

export class Table {
  /** @type {import("./types.js").TableInfo|null} */ info = null;
  /** The game's module, once its first view came. @type {any} */ game = null;
  /** What the game's screen keeps between two drawings: a choice, an open palette. Never cards of others. @type {any} */ own_state = {};
  #lostSaid = false;

  /** @param {string} id @param {string|null} code */
  constructor(id, code) {
    this.id = id;
    this.code = code;
    this.live = new Live(id, code, (before, news) => this.#viewed(before, news), () => this.#connection());
    document.addEventListener("visibilitychange", this.#looked);
    this.refresh();
  }

  get public() { return this.live.public; }
  get own() { return this.live.own; }
  /** My seat; null for who only watches. @returns {number|null} */
  get seat() { return this.own?.seat ?? null; }
  get phase() { return this.public?.phase; }
  get open() { return this.live.status === "live"; }
  /** Left, or closed by the server: what was to be said of it later is not said. */
  get ended() { return this.live.status === "ended"; }
  get host() { return this.seat !== null && Boolean(this.public?.seats[this.seat]?.host); }

  /** Whether the view says that I can do this. @param {string} type */
  can(type) { return Boolean(this.own?.can?.includes(type)); }

  /** @param {number} seat */
  name(seat) { return this.public?.seats[seat]?.name || t("seat.free"); }

  /** @param {import("./types.js").Command} command */
  async send(command) {
    const verdict = await this.live.send(command);
    if (verdict.refused === "slow_down") notice(t("refused.slow_down"), 2000);
    redraw();
    return verdict;
  }

  /** For the commands of seating and breaks: a refusal is said in words. @param {import("./types.js").Command} command */
  async sendAndSay(command) {
    const verdict = await this.send(command);
    if (!verdict.accepted) toast(coded("refused", verdict.refused ?? "unknown"));
    return verdict;
  }

  async refresh() {
    const answer = await ask("GET", `/tables/${this.id}${this.code ? `?code=${encodeURIComponent(this.code)}` : ""}`);
    if (answer.ok) this.info = answer.value;
    redraw();
  }

  get link() { return `${location.origin}/?join=${this.info?.code ?? this.code ?? ""}`; }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(this.link);
      toast(t("lobby.copied"));
    } catch {
      toast(this.link); // no clipboard on a page without https: the link itself, to be copied by hand
    }
  }

  async leave() {
    sheet(null);
    if (this.seat !== null && this.open) await this.send({ type: "Leave" });
    go({ page: "start" });
  }

  /** Looked at again: the tab needs to call nobody any more. */
  #looked = () => { if (!document.hidden && this.public) document.title = this.#title(); };

  #title() { return `${t(`game.${this.public.game}`)} · Quartet`; }

  close() {
    document.removeEventListener("visibilitychange", this.#looked);
    this.live.close();
  }

  /** The newest checkpoint must contain the one that this browser holds: a log that was rewritten is found. @param {string} note */
  async #witness(note) {
    if (await saw(note)) return;
    notice(t("witness.broken"), 20_000);
    shout(t("witness.broken"));
  }

  /** @param {any} before @param {any[]} news */
  async #viewed(before, news) {
    const note = this.live.public.checkpoint;
    if (note && note !== before?.public.checkpoint) this.#witness(note);
    this.game ??= await gameOf(this.public.game);
    if (this.#lostSaid) this.#backAgain();
    for (const seat of changedSeats(before?.public, this.public)) this.#presence(seat, before.public.seats[seat]);
    if (this.phase === "seating") lobbyChanged(this, before);
    const title = this.phase === "seating" ? null : this.game.changed(this, before, news);
    document.title = title || (document.hidden && !before ? document.title : this.#title());
    redraw();
  }

  /** @param {number} seat @param {any} was */
  #presence(seat, was) {
    const now = this.public.seats[seat];
    if (seat === this.seat || !was.player || was.player !== now.player) return;
    if (was.connected !== now.connected && !now.bot) say(t(now.connected ? "say.back" : "say.away", { name: now.name }));
    if (!was.host && now.host) say(t("say.host", { name: now.name }));
  }

  #connection() {
    if (this.live.status === "lost") setTimeout(() => {
      if (this.live.status !== "lost" || this.#lostSaid) return;
      this.#lostSaid = true;
      shout(t("say.lost"));
    }, 1000);
    redraw();
  }

  #backAgain() {
    this.#lostSaid = false;
    const { deadline } = this.public;
    notice(t("connection.back"), 2000);
    shout(deadline ? t("say.youAreBack", { time: minutes(Math.ceil(left(deadline) / 1000)) }) : t("connection.back"));
  }
}

/** @param {any} before @param {any} now */
function changedSeats(before, now) {
  if (!before || before.seats.length !== now.seats.length) return [];
  return now.seats.flatMap((seat, i) =>
    (seat.connected !== before.seats[i].connected || seat.host !== before.seats[i].host ? [i] : []));
}

/** The screen of the table at hand. @param {{table: Table}} props */
export function TableScreen({ table }) {
  if (table.live.status === "ended" || table.phase === "closed") return html`<${Ended} table=${table} />`;
  if (!table.public || !table.game) return html`<main class="opening" aria-busy="true"><p>${t("table.opening")}</p></main>`;
  if (table.phase === "seating") return html`<${Lobby} table=${table} />`;
  return html`<${table.game.Screen} table=${table} />`;
}

/** Opens the table that the address names, and leaves the one before. @param {string} id @param {string|null} code */
export function openTable(id, code) {
  if (ui.table?.id === id) return;
  ui.table?.close();
  ui.table = new Table(id, code);
  redraw(); // that the table is being brought, until its first view
}

export function closeTable() {
  ui.table?.close();
  ui.table = null;
}
