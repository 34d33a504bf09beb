// The game on the table: players, the last question, my families, the bar to ask with. In that order for the tab key too.
import { t } from "../i18n.js";
import { cls, html, useEffect } from "../lib.js";
import { bind } from "../keys.js";
import { Glyph } from "../parts.js";
import { say } from "../say.js";
import { AskBar, letGo, tapPlayer } from "./ask.js";
import { Done } from "./cards.js";
import { Families, step } from "./families.js";
import { handWords } from "./hear.js";
import { Line, turnWords } from "./line.js";
import { look, setsOf } from "./look.js";
import { Opened } from "./opened.js";
import { Players, Sets } from "./players.js";
import { stateOf } from "./state.js";
import { Record, Talk } from "./talk.js";

/** @param {{table: any}} props */
export function Play({ table }) {
  const at = look(table);
  useEffect(() => bind("kwartet", () => keys(table)), [table]);
  const loose = (event) => {
    if (event.target instanceof Element && event.target.closest("button, .askbar")) return;
    if (document.activeElement === document.body) stateOf(table).hadFocus = false;
    letGo(table);
  };
  const mine = setsOf(at.view, at.me);
  return html`<div class="page kw"><${Line} table=${table} title=${turnWords(table)} />
    <main class=${cls("kt", { off: !table.open, watching: at.watching })} onClick=${loose}><div class="surface"><div class="cloth"></div></div>
      <${Players} table=${table} at=${at} /><${Talk} table=${table} at=${at} />
      ${at.watching ? html`<${Exposed} view=${at.view} />` : html`<div class="my">
        ${mine.length > 0 && html`<div class="mysets" data-seat=${at.me}><b>${t("seat.you")}</b><${Sets} table=${table} view=${at.view} seat=${at.me} sets=${mine} name=${t("seat.you")} /></div>`}
        ${at.hand.length ? html`<${Families} table=${table} at=${at} />` : html`<${Emptied} />`}</div>`}
      <${AskBar} table=${table} at=${at} />
      <aside class="record" aria-label=${t("kw.record")} tabindex="0" onKeyDown=${scrolls}><h2>${t("kw.record")}</h2><${Record} table=${table} at=${at} /></aside>
    </main><${Opened} table=${table} at=${at} /></div>`;
}

/** Arrows in what scrolls are for scrolling. @param {KeyboardEvent} event */
const scrolls = (event) => { if (event.key.startsWith("Arrow")) event.stopPropagation(); };

/** No cards left: the figure in the cloth. */
const Emptied = () => html`<div class="bare"><${Glyph} name="quad" /></div>`;

/** For who watches: what has been laid down, in the place of a hand. */
const Exposed = ({ view }) => html`<section class="my laiddown" aria-label=${t("kw.laidDown")}>${view.exposed.length
  ? html`<div class="dones">${view.exposed.map(({ family }) => html`<${Done} key=${family} view=${view} family=${family} />`)}</div>` : html`<${Emptied} />`}</section>`;

/** The keys of the game (the design's section 9). @param {any} table @returns {import("../types.js").Key[]} */
function keys(table) {
  const at = look(table);
  const state = stateOf(table);
  if (table.phase !== "playing" || at.watching) return [];
  const arrows = ["ArrowLeft", "ArrowUp", "ArrowDown", "ArrowRight"].map((key, i) => ({ key, label: i ? "" : t("key.hole"), caps: ["←", "↑", "↓", "→"], quiet: i > 0, run: () => step(key) }));
  const players = at.around.map((seat, i) => ({ key: String(i + 1), label: i ? "" : t("key.player"), caps: at.around.map((_, k) => String(k + 1)), quiet: i > 0, run: () => tapPlayer(table, seat) }));
  return [...arrows, ...players,
    { key: "H", label: t("key.sayHand"), run: () => say(handWords(at)) },
    { key: "L", label: t("key.sayLast"), run: () => say(state.lastSaid || t("say.nothing")) },
    { key: "Escape", label: t("key.letGo"), run: () => letGo(table) },
  ];
}
