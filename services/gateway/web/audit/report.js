// A dispute on paper: one race with everything that bears on it, for people, printed without a control.
import { coded, t } from "../i18n.js";
import { html } from "../lib.js";
import { clock, locale } from "./book.js";
import { Chip } from "./chip.js";
import { hadBeenFirst, Race, summary, WhatIf } from "./finish.js";
import { NotProven, Proof } from "./proof.js";
import { Scene, sawWords } from "./scene.js";
import { told } from "./tell.js";

const AROUND = 6;

/** @param {{book: import("./book.js").Book, place: number|null, check: import("./check.js").Check, back: () => void}} props */
export function Report({ book, place, check, back }) {
  const one = book.races[place ?? 0];
  const { head } = book;
  const date = (/** @type {number} */ us) => new Date(us / 1000).toLocaleString(locale(), { dateStyle: "long", timeStyle: "medium" });
  return html`<main class="paper"><div class="acts noprint"><button type="button" class="btn" onClick=${back}>${t("audit.toTable")}</button><button type="button" class="btn main" onClick=${() => print()}>${t("audit.print")}</button></div>
    <header><h1 tabindex="-1">${t("audit.report.title")}</h1>
      <p>${coded("game", book.game)}, ${t("audit.round", { n: head.round })} · ${date(book.zero)}${one ? html`<br /><b>${summary(book, one)}</b>` : null}</p>
      ${one && html`<${InShort} book=${book} one=${one} />`}
      <p class="small">${t("audit.report.made", { date: date(Date.now() * 1000), table: head.table })}</p></header>
    <${Seats} book=${book} />
    ${one && html`<section class="finish flat"><${Race} book=${book} one=${one} />${one.race.otherwise && html`<${WhatIf} book=${book} one=${one} />`}</section>
      <${Tables} book=${book} one=${one} />`}
    <${Records} book=${book} one=${one} />
    <${Proven} book=${book} check=${check} /><${NotProven} /></main>`;
}

/** Both commands as sentences, the one that won first. */
function InShort({ book, one }) {
  const places = [book.places.get(one.race.winner?.version), one.index].filter((place) => place !== undefined);
  return html`<p>${places.map((place) => html`<b>#${book.scenes[place].version}</b> ${told(book, book.scenes[place], place)} `)}</p>`;
}

const Seats = ({ book }) => html`<section class="seats"><h2>${t("audit.report.seats")}</h2><ol class="seatlist">${Array.from({ length: book.seats }, (_, seat) => html`<li key=${seat}>${t("audit.report.seat", { n: seat + 1 })}: <b>${book.name(seat)}</b></li>`)}</ol></section>`;

/** The table just before, as it was and as the loser saw it; and the other way round. */
function Tables({ book, one }) {
  const { race, index } = one;
  const by = race.loser.by;
  const before = Math.max(0, (book.places.get(race.winner?.version) ?? index) - 1);
  const saw = typeof by === "number" && book.seen(by, Math.max(0, index - 1), race.loser.at);
  const name = book.sender(by, index);
  return html`<section class="tables"><figure><h2>${t("audit.report.tableAt")}</h2><${Scene} book=${book} picture=${book.seen("above", before, 0)} from="above" index=${before} label=${t("audit.report.tableAt")} /></figure>
    ${saw && html`<figure><h2>${t("audit.report.saw", { name })}</h2><${Scene} book=${book} picture=${saw} from=${by} index=${saw.index} label=${t("audit.report.saw", { name })} />
      <figcaption>${sawWords(book, by, saw, clock(race.loser.at - book.zero))}</figcaption></figure>`}
    ${race.otherwise && html`<figure><h2>${hadBeenFirst(book, one)}</h2><${Scene} book=${book} picture=${race.otherwise} from="above" index=${index} label=${hadBeenFirst(book, one)} /></figure>`}</section>`;
}

function Records({ book, one }) {
  const from = one ? Math.max(0, one.index - AROUND) : 0;
  const to = one ? Math.min(book.scenes.length, one.index + AROUND + 1) : book.scenes.length;
  return html`<section><h2>${t(one ? "audit.report.around" : "audit.report.all")}</h2><ol class="records">${book.scenes.slice(from, to).map((scene, i) => html`<li key=${scene.version} class=${one && from + i === one.index ? "this" : ""}>
    <b>#${scene.version}</b><span>${clock(scene.at - book.zero, 6)}</span><span>${told(book, scene, from + i)}</span></li>`)}</ol></section>`;
}

const Proven = ({ book, check }) => html`<section class="proof"><h2>${t("audit.report.proof")}</h2><p class="verline"><${Chip} check=${check} /></p>
    ${check.report?.verdict === "proven" && html`<${Proof} report=${check.report} />`}
    <dl class="facts"><dt>${t("audit.report.head")}</dt><dd><code>${book.head.head}</code></dd></dl></section>`;
