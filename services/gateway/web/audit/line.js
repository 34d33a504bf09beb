// The timeline: a lane a seat and one for the table, the head that can be dragged, the controls over it.
import { margin, t } from "../i18n.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../lib.js";
import { Icon } from "../parts.js";
import { clock } from "./book.js";
import { holds, marks, Scale } from "./marks.js";
import { told } from "./tell.js";

/** @param {{book: import("./book.js").Book, head: import("./play.js").Head, race: () => void}} props */
export function Line({ book, head, race }) {
  const scene = book.scenes[head.index];
  return html`<section class="line" aria-label=${t("audit.line")}>
    <div class="ctl">
      <button type="button" class="btn icon" aria-label=${t("audit.line.before")} onClick=${() => head.step(-1)}><${Icon} name="stepb" /></button>
      <button type="button" class="btn main" aria-label=${t(head.playing ? "audit.line.pause" : "audit.line.play")} onClick=${() => head.toggle()}><${Icon} name=${head.playing ? "pause" : "play"} /></button>
      <button type="button" class="btn icon" aria-label=${t("audit.line.after")} onClick=${() => head.step(1)}><${Icon} name="step" /></button>
      <time class="clock">${clock(head.at - book.zero)}</time>
      <button type="button" class="btn bare speed" aria-label=${t("audit.line.speed", { n: head.speed })} onClick=${() => head.faster()}>${head.speed}×</button>
      <button type="button" class="btn push" disabled=${!book.races.length} onClick=${race}>${t("audit.line.race")}</button>
    </div>
    <${Lanes} book=${book} head=${head} />
    <p class="record" aria-live=${head.playing ? "off" : "polite"}><b>#${scene.version}</b> ${told(book, scene, head.index)}</p>
    <${Legend} game=${book.game} />
  </section>`;
}

/** How the lanes lie: closer together when there are many. @param {number} n */
const rows = (n) => { const gap = n > 5 ? 24 : 34; return { gap, y: (/** @type {number} */ lane) => 43 + lane * gap, height: 43 + n * gap + 23 }; };

function Lanes({ book, head }) {
  const scroll = useRef(/** @type {HTMLElement|null} */ (null));
  const room = useRoom(scroll);
  const lay = rows(book.seats);
  const scale = useMemo(() => new Scale(book, room, innerWidth < 900 ? 17 : 11), [book, room]);
  const all = useMemo(() => marks(book), [book]);
  const drawn = useMemo(() => html`<${Drawn} book=${book} all=${all} scale=${scale} lay=${lay} />`, [book, scale]);
  const x = scale.x(head.at);
  useEffect(() => follow(scroll.current, x, head.playing), [x]);
  const drag = useDrag(scroll, scale, head);
  const click = (/** @type {MouseEvent} */ event) => { if (!drag.dragged()) seekTo(event, scroll.current, scale, head, all, lay); };
  const value = t("audit.line.at", { time: clock(head.at - book.zero), n: book.scenes[head.index].version });
  return html`<div class="lanes"><svg class="tl names" width="72" height=${lay.height} aria-hidden="true">
      ${Array.from({ length: book.seats }, (_, seat) => html`<text key=${seat} x="14" y=${lay.y(seat) + 4.5} class="nm">${short(book.name(seat))}</text>`)}
      <text x="14" y=${lay.y(book.seats) + 4.5} class="ax">${t("audit.line.table")}</text></svg>
    <div class="scroll" ref=${scroll} onPointerDown=${drag.down} onClick=${click}>
      <div class="strip" style=${{ width: `${scale.width}px`, height: `${lay.height}px` }}>${drawn}
        <span class="headline" style=${{ transform: `translateX(${x}px)` }} aria-hidden="true"></span>
        <span class="headknob" style=${{ transform: `translateX(${x}px)` }} role="slider" tabindex="0" onKeyDown=${(/** @type {KeyboardEvent} */ event) => slide(event, head)} aria-label=${t("audit.line.head")} aria-valuemin="1" aria-valuemax=${book.scenes.length} aria-valuenow=${head.index + 1} aria-valuetext=${value}></span>
      </div></div></div>`;
}

/** A slider has its own keys, whether or not single keys are on. @param {KeyboardEvent} event @param {import("./play.js").Head} head */
function slide(event, head) {
  const { index, book } = head;
  const to = { ArrowRight: index + 1, ArrowUp: index + 1, ArrowLeft: index - 1, ArrowDown: index - 1, PageUp: index + 10, PageDown: index - 10, Home: 0, End: book.scenes.length - 1 }[event.key];
  if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  head.pause();
  head.go(to);
}

/** @param {string} name */
const short = (name) => (name.length > 7 ? `${name.slice(0, 6)}…` : name);

/** The width there is, again after each change. @param {{current: HTMLElement|null}} element */
function useRoom(element) {
  const [room, set] = useState(800);
  useLayoutEffect(() => {
    if (!element.current) return;
    const watch = new ResizeObserver(([entry]) => set(Math.floor(entry.contentRect.width)));
    watch.observe(element.current);
    set(element.current.clientWidth);
    return () => watch.disconnect();
  }, []);
  return room;
}

/** Keeps the head in sight. @param {HTMLElement|null} scroll @param {number} x @param {boolean} playing */
function follow(scroll, x, playing) {
  if (!scroll) return;
  const { scrollLeft, clientWidth } = scroll;
  if (x < scrollLeft + 30) scroll.scrollLeft = x - clientWidth / 3;
  else if (x > scrollLeft + clientWidth * (playing ? 0.8 : 0.95)) scroll.scrollLeft = x - clientWidth / 3;
}

/** The head by hand: with a mouse anywhere on the line, with a finger by its knob; a finger elsewhere scrolls. */
function useDrag(scroll, scale, head) {
  const moved = useRef(false);
  const down = (/** @type {PointerEvent} */ event) => {
    const knob = event.target instanceof Element && event.target.classList.contains("headknob");
    moved.current = false;
    if (event.pointerType !== "mouse" && !knob) return;
    const begin = event.clientX;
    const move = (/** @type {PointerEvent} */ to) => {
      if (!moved.current && Math.abs(to.clientX - begin) < 4) return;
      moved.current = true;
      head.pause();
      head.seek(scale.at(placeOf(to, scroll.current)));
    };
    const up = () => { removeEventListener("pointermove", move); removeEventListener("pointerup", up); removeEventListener("pointercancel", up); };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  };
  return { down, dragged: () => moved.current };
}

/** @param {MouseEvent} event @param {HTMLElement|null} scroll */
const placeOf = (event, scroll) => event.clientX - (scroll?.getBoundingClientRect().left ?? 0) + (scroll?.scrollLeft ?? 0);

/** A press on a mark goes to its record, anywhere else to that moment. */
function seekTo(event, scroll, scale, head, all, lay) {
  if (event.target.classList.contains("headknob") || event.detail === 0) return;
  const x = placeOf(event, scroll);
  const y = event.clientY - scroll.getBoundingClientRect().top;
  const far = (/** @type {any} */ one) => Math.hypot(scale.x(one.at) - x, lay.y(one.lane) - y);
  const near = all.reduce((best, one) => (far(one) < far(best) ? one : best), all[0]);
  head.pause();
  if (near && far(near) < 18) head.go(near.index);
  else head.seek(scale.at(x));
}

/** All that does not move with the head. */
function Drawn({ book, all, scale, lay }) {
  const lanes = Array.from({ length: book.seats + 1 }, (_, lane) => lane);
  const by = new Map(all.map((one) => [one.index, one]));
  const tagged = roomy(all, scale);
  return html`<svg class="tl" width=${scale.width} height=${lay.height} aria-hidden="true">
    ${lanes.map((lane) => html`<path key=${lane} class="lane" d=${`M12 ${lay.y(lane)}H${scale.width - 24}`} />`)}
    ${scale.left > 16 && html`<text class="ax" x="12" y="15">${t("audit.line.prepared")}</text>`}
    ${scale.ticks().map((second) => html`<g key=${second}><text class="ax" x=${scale.x(book.zero + second * 1e6)} y=${second === 0 && scale.left > 16 ? 30 : 15} text-anchor="middle">${clock(second * 1e6, 0)}</text><path class="lane tick" d=${`M${scale.x(book.zero + second * 1e6)} ${second === 0 && scale.left > 16 ? 34 : 20}V${lay.height - 8}`} /></g>`)}
    ${holds(book).map((hold) => html`<${Held} key=${hold.from} hold=${hold} scale=${scale} y=${lay.y(hold.seat) + 12} />`)}
    ${all.filter((one) => typeof one.tied === "number").map((one) => html`<path key=${one.index} class="race" d=${tie(one, by, scale, lay, book)} />`)}
    ${all.map((one) => html`<${Shape} key=${one.index} mark=${one} x=${scale.x(one.at)} y=${lay.y(one.lane)} tag=${tagged.has(one.index)} />`)}
  </svg>`;
}

/** Whose margin or word can be written without touching the one before in its lane. */
function roomy(all, scale) {
  const ends = new Map();
  return new Set(all.filter((one) => one.margin !== undefined || one.text).flatMap((one) => {
    const x = scale.x(one.at);
    if (x < (ends.get(one.lane) ?? -1)) return [];
    ends.set(one.lane, x + (one.text ? 18 + 7 * t(`audit.mark.${one.text}`).length : 58));
    return [one.index];
  }));
}

/** From a refused command to the one that won. */
function tie(one, by, scale, lay, book) {
  const winner = by.get(one.tied);
  const scene = book.scenes[one.tied];
  const lane = winner?.lane ?? (typeof scene.by === "number" ? scene.by : book.seats);
  return `M${scale.x(scene.at)} ${lay.y(lane)}L${scale.x(one.at)} ${lay.y(one.lane)}`;
}

const Held = ({ hold, scale, y }) => html`<g><path class="bt" d=${`M${scale.x(hold.from)} ${y}H${scale.x(hold.to)}${hold.beats.map((at) => `M${scale.x(at)} ${y - 4}v8`).join("")}`} />
  <circle class="ch" cx=${scale.x(hold.from)} cy=${y} r="4" /></g>`;

function Shape({ mark, x, y, tag }) {
  switch (mark.form) {
    case "done": return html`<rect class="sw0" x=${x - 5.5} y=${y - 7.5} width="11" height="15" rx="2.5" />`;
    case "refused": return html`<g><rect class="rf" x=${x - 5.5} y=${y - 7.5} width="11" height="15" rx="2.5" /><path class="x" d=${`M${x - 3} ${y - 3}l6 6m0-6l-6 6`} />
      ${tag && html`<text class="tag" x=${x + 9} y=${y - 6}>${margin(mark.margin)}</text>`}</g>`;
    case "quatro": return html`<g><rect class="q" x=${x - 30} y=${y - 11} width="60" height="22" rx="11" /><text class="qt" x=${x} y=${y + 4.5} text-anchor="middle">${t("call.quatro")}</text></g>`;
    case "counter": return html`<g><path class="k" d=${`M${x - 33} ${y - 5}l6 -6h54l6 6v10l-6 6h-54l-6 -6z`} /><text class="kt" x=${x} y=${y + 4.5} text-anchor="middle">${t("call.counter")}</text></g>`;
    case "four": return html`<rect class="q" x=${x - 6.5} y=${y - 8.5} width="13" height="17" rx="3" />`;
    default: return html`<g><circle class="hz" cx=${x} cy=${y} r=${mark.text ? 5 : 3} />${mark.text && tag && html`<text x=${x + 9} y=${y + 4}>${t(`audit.mark.${mark.text}`)}</text>`}</g>`;
  }
}

const Legend = ({ game }) => html`<div class="legend"><span><svg viewBox="0 0 14 14" class="tl" aria-hidden="true"><rect class="sw0" x="2" width="10" height="14" rx="2.5" /></svg>${t("audit.legend.done")}</span>
  <span><svg viewBox="0 0 14 14" class="tl" aria-hidden="true"><rect class="rf" x="2" width="10" height="14" rx="2.5" /><path class="x" d="M4 4l6 6m0-6l-6 6" /></svg>${t("audit.legend.refused")}</span>
  ${game === "quatro" ? html`<span><svg viewBox="0 0 14 14" class="tl" aria-hidden="true"><circle class="ch" cx="3" cy="7" r="3" /><path class="bt" d="M6 7h8M11 3v8" /></svg>${t("audit.legend.channel")}</span>`
    : html`<span><svg viewBox="0 0 14 14" class="tl" aria-hidden="true"><rect class="q" x="2" width="10" height="14" rx="2.5" /></svg>${t("audit.legend.family")}</span>`}</div>`;
