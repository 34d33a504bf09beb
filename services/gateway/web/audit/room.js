// The dispute room: a finished round on the table with its timeline, a search, a bundle checked here, a report on paper.
import { alsoFrom, load, t } from "../i18n.js";
import { bind } from "../keys.js";
import { html, render } from "../lib.js";
import { Glyph, Icon, teamClass, TEAMS, Token } from "../parts.js";
import { Help, Menu } from "../shell/sheets.js";
import { MenuButton } from "../shell/top.js";
import { keptOf } from "../receipts.js";
import { set, settings, takeUp } from "../settings.js";
import { drawWith, redraw, sheet, toast, ui } from "../state.js";
import { fetchRound, locale } from "./book.js";
import { checkFiles, checkRound, checkWith, giveUp, save } from "./check.js";
import { Checked } from "./checked.js";
import { Chip } from "./chip.js";
import { Find, Pick } from "./find.js";
import { Finish } from "./finish.js";
import { Line } from "./line.js";
import { Head } from "./play.js";
import { Report } from "./report.js";
import { isCut, Own } from "./own.js";
import { Now } from "./scene.js";

const room = {
  /** @type {import("./book.js").Book|null} */ book: null,
  /** @type {Head|null} */ head: null,
  /** @type {import("./book.js").From} */ from: "above",
  /** @type {number|null} which race the photo finish shows */ race: null,
  whatIf: false,
  report: false,
  /** @type {import("./check.js").Check|null} */ check: null,
  /** @type {import("./check.js").Check|null} */ dropped: null,
  /** @type {string|null} */ fault: null,
  /** What is kept here of a round that is not shown. @type {import("../receipts.js").Kept[]} */ own: [],
  /** @type {number|null} scenes read so far */ reading: null,
};

/** @param {number} place in the list of races */
function pick(place) {
  const { book, head } = room;
  if (!book || !head) return;
  Object.assign(room, { race: place, whatIf: false });
  head.pause();
  head.go(book.races[place].index);
}

function nextRace() {
  const place = room.head?.race();
  if (typeof place === "number") Object.assign(room, { race: place, whatIf: false });
  redraw();
}

/** A bundle, receipts, a key: beside what was dropped before, or the round that is open here. @param {File[]} files */
function open(files) {
  const before = room.dropped ?? room.check;
  giveUp(room.dropped);
  change({ dropped: checkFiles(files, before) });
}

/** @param {string} key */
function trust(key) {
  const before = room.dropped;
  giveUp(before);
  if (before) change({ dropped: checkWith(before, key) });
}

/** Where the keyboard goes on when what it pressed is gone from the page. @param {Partial<typeof room>} changes @param {string} [on] */
function change(changes, on = "main h1") {
  const keyed = document.activeElement?.matches(":focus-visible");
  Object.assign(room, changes);
  if ("report" in changes) scrollTo(0, 0);
  redraw();
  if (keyed) queueMicrotask(() => { if (document.activeElement === document.body) document.querySelector(/** @type {"button"} */ (on))?.focus(); });
}

const unreport = () => change({ report: false }, ".report");
const undrop = () => change({ dropped: null }, ".pickfile input");
const real = () => change({ whatIf: false }, ".whatif .btn");

function Page() {
  const { book, head, check, dropped } = room;
  const sheets = html`${ui.sheet === "menu" && html`<${Menu} />`}${ui.sheet === "help" && html`<${Help} />`}
    <div class="toasts" role="status">${ui.toast && html`<p class="toast" key=${ui.toast.id}>${ui.toast.text}</p>`}</div>`;
  if (dropped) return html`<${Top} back=${undrop} /><${Checked} check=${dropped} picked=${open} trust=${trust} />${sheets}`;
  if (room.reading !== null) return html`<${Top} /><main class="opening" role="status">${t("audit.loading", { n: room.reading })}</main>`;
  if (!book || !head || !check) return html`<${Top} /><${Find} fault=${room.fault} picked=${open} own=${room.own.length > 0 && html`<${Own} own=${room.own} report=${null} name=${receiptsName(table, round)} />`} />${sheets}`;
  if (room.report) return html`<${Report} book=${book} place=${room.race} check=${check} back=${unreport} />`;
  return html`<${Top} book=${book} check=${check} /><${Round} book=${book} head=${head} />${sheets}`;
}

/** @param {string|null} table @param {number} round */
const receiptsName = (table, round) => `${table}-${round}-receipts.json`;

function Round({ book, head }) {
  const place = room.race ?? (book.races.length ? 0 : null);
  const own = room.check && html`<${Own} own=${room.check.own} report=${room.check.report} name=${receiptsName(book.head.table, book.head.round)} />`;
  const cut = isCut(room.check?.report);
  return html`<main class="audit">
    <${Views} book=${book} index=${head.index} />
    <${Now} book=${book} head=${head} from=${room.from} whatIf=${room.whatIf && place !== null ? book.races[place] : null} real=${real} />
    <${Finish} book=${book} place=${place} pick=${pick} show=${() => { change({ whatIf: true }); document.querySelector(".now")?.scrollIntoView({ block: "nearest" }); }} report=${() => change({ report: true })} first=${cut && own} last=${!cut && own} />
    <${Line} book=${book} head=${head} race=${nextRace} />
    <p class="more">${room.check && html`<button type="button" class="btn" disabled=${!room.check.bundles.length} onClick=${() => room.check && save(room.check)}><${Icon} name="down" />${t("audit.saveBundle")}</button>`}<${Pick} picked=${open} /><a class="btn" href="/audit"><${Icon} name="find" />${t("audit.find")}</a></p>
  </main>`;
}

/** From where it is seen. The arrows move in here, not through the records. */
function Views({ book, index }) {
  const one = (/** @type {import("./book.js").From} */ from, /** @type {any} */ words, team = "") => html`<label key=${from} class=${team}><input type="radio" name="from" checked=${room.from === from} onChange=${() => change({ from })} />${words}</label>`;
  return html`<div class="views" role="radiogroup" aria-label=${t("audit.from")} onKeyDown=${(/** @type {KeyboardEvent} */ event) => { if (event.key.startsWith("Arrow")) event.stopPropagation(); }}>
    ${one("above", html`<${Icon} name="eye" />${t("audit.from.above")}`)}
    ${Array.from({ length: book.seats }, (_, seat) => one(seat, html`${book.team(seat) === undefined ? html`<${Token} name=${book.name(seat, index)} />` : html`<span class="token"><${Glyph} name=${TEAMS[book.team(seat)]} /></span>`}${book.name(seat, index)}`, teamClass(book.team(seat))))}
    ${one("watching", t("audit.from.watching"))}</div>`;
}

function Top({ book, check, back }) {
  const home = book ? `/#${book.head.table}` : "/";
  const about = book && t("audit.about", { date: new Date(book.zero / 1000).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" }), n: book.scenes.length });
  return html`<header class="top">${back ? html`<button type="button" class="btn icon" aria-label=${t("audit.back")} onClick=${back}><${Icon} name="back" /></button>`
      : html`<a class="btn icon" href=${home} aria-label=${t(book ? "audit.back" : "audit.home")}><${Icon} name="back" /></a>`}
    ${book ? html`<h1 class="show file">${t("audit.round", { n: book.head.round })} <span class="deskonly">${t("audit.ofTable", { code: book.title })}</span></h1><small class="deskonly">${about}</small>` : html`<b class="show file">${t("audit.title")}</b>`}
    <span class="push"></span>
    ${check && html`<${Chip} check=${check} /><span class="deskonly"><${Pick} picked=${open} /></span>
      <button type="button" class="btn deskonly" disabled=${!check.bundles.length} onClick=${() => save(check)}><${Icon} name="down" />${t("audit.saveBundle")}</button>`}
    ${book && html`<a class="btn icon deskonly" href="/audit" aria-label=${t("audit.find")} title=${t("audit.find")}><${Icon} name="find" /></a>`}<${MenuButton} /></header>`;
}

/** The address keeps the record, so that it can be sent to others. */
function remember() {
  const { book, head } = room;
  if (!book || !head || head.playing) return;
  const at = book.scenes[head.index].version;
  history.replaceState(null, "", `/audit?table=${book.head.table}&round=${book.head.round}&at=${at}`);
}

bind("audit", () => {
  const { head } = room;
  const away = room.dropped ? undrop : room.report ? unreport : null;
  if (away) return [{ key: "Escape", label: t("audit.back"), quiet: true, run: away }];
  if (!head) return [];
  return [
    { key: "ArrowLeft", label: t("audit.key.step"), caps: ["←", "→"], run: () => head.step(-1) },
    { key: "ArrowRight", label: "", quiet: true, run: () => head.step(1) },
    { key: "Space", label: t("audit.key.play"), caps: [t("audit.key.Space")], run: () => {} },
    { key: "N", label: t("audit.key.race"), run: nextRace },
    { key: "Escape", label: t("audit.scene.real"), quiet: true, run: real },
  ];
});
bind("page", () => [{ key: "?", label: t("key.help"), run: () => sheet("help") }, { key: "M", label: t("key.sound"), quiet: true, run: () => { set({ sound: !settings.sound }); toast(t(settings.sound ? "menu.sound.on" : "menu.sound.off")); } }]);

// Space presses a button that has the focus; anywhere else it plays.
addEventListener("keydown", (event) => {
  const busy = event.target instanceof Element && event.target.closest("button, a, input, select, textarea, dialog");
  if (event.key !== " " || busy || !settings.keys || !room.head || room.report || room.dropped) return;
  event.preventDefault();
  room.head.toggle();
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const files = [...(event.dataTransfer?.files ?? [])];
  if (files.length) open(files);
});

/** @param {string} table @param {number} round @param {number|null} at the record to begin with */
async function enter(table, round, at) {
  room.reading = 0;
  redraw();
  const answer = await fetchRound(table, round, (n) => { room.reading = n; redraw(); });
  room.reading = null;
  if (!answer.ok) {
    change({ fault: answer.code });
    return change({ own: await keptOf(table, round) });
  }
  const book = /** @type {import("./book.js").Book} */ (answer.value);
  const place = book.races.findIndex(({ race }) => race.loser.version === at || race.winner?.version === at);
  const head = new Head(book, book.places.get(at ?? -1) ?? book.races[0]?.index ?? book.indexAt(book.zero));
  head.moved = () => { room.whatIf = false; const here = book.races.findIndex((one) => one.index === head.index); if (here >= 0 && !head.playing) room.race = here; remember(); };
  document.title = `${t("audit.round", { n: round })} · ${t("audit.title")}`;
  change({ book, head, race: place < 0 ? null : place, check: checkRound(book) });
}

takeUp();
alsoFrom("audit/words.");
await load();
document.title = t("audit.title");
drawWith(() => { const root = document.getElementById("app"); if (root) render(html`<${Page} />`, root); });
const asked = new URLSearchParams(location.search);
const [table, round, at] = [asked.get("table"), Number(asked.get("round")), Number(asked.get("at"))];
if (table && round) enter(table.toLowerCase(), round, at || null);
else redraw();
