// The finish as a picture: both commands over one scale of time, where each was when, the dashed line at which it was decided.
import { margin, t } from "../i18n.js";
import { html } from "../lib.js";

const LEFT = 60;
const RIGHT = 346;
const GAP_MIN = 20;

/** @param {{race: any, winner: string, loser: string}} props */
export function Photo({ race, winner, loser }) {
  const x = scale([race.winner, race.loser]);
  const decided = { won: race.winner && x(race.winner.at), lost: x(race.loser.at) };
  const label = t("audit.finish.label", { winner, loser, margin: margin(race.margin_us) });
  const middle = race.winner ? (decided.won + decided.lost) / 2 : decided.lost;
  return html`<svg class="photo" viewBox="0 0 390 204" role="img" aria-label=${label}>
    ${race.winner && html`<path class="wire" d=${`M${decided.won} 24V190M${decided.lost} 94V190`} />`}
    ${race.winner && html`<${Track} sent=${race.winner} name=${winner} x=${x} y=${46} won=${true} words=${true} />`}
    <${Track} sent=${race.loser} name=${loser} x=${x} y=${128} won=${false} words=${!race.winner} />
    ${race.winner && html`<g><path class="br" d=${`M${decided.won} 158H${decided.lost}M${decided.won} 153v10M${decided.lost} 153v10`} />
      <text class="mg" x=${Math.max(LEFT, Math.min(RIGHT - 20, middle))} y="186" text-anchor="middle">${exact(race.margin_us)}</text></g>`}
  </svg>`;
}

/** A margin to the microsecond, as a dispute wants it. @param {number} us */
export const exact = (us) => (us < 1_000_000 ? t("margin.ms", { n: (us / 1000).toFixed(3) }) : t("margin.s", { n: (us / 1e6).toFixed(6) }));

/** One place for each moment of either command: in order, at least a little apart, long waits drawn shorter. @param {any[]} both */
function scale(both) {
  const times = [...new Set(both.filter(Boolean).flatMap((one) => [one.sent, one.received, one.arrived, one.at, one.committed]).filter((at) => at !== null))].sort((a, b) => a - b);
  const weights = times.slice(1).map((at, i) => Math.cbrt(at - times[i]));
  const total = weights.reduce((sum, one) => sum + one, 0) || 1;
  const spare = RIGHT - LEFT - GAP_MIN * weights.length;
  let place = LEFT;
  const places = new Map(times.map((at, i) => [at, (place += i ? GAP_MIN + (spare * weights[i - 1]) / total : 0)]));
  return (/** @type {number} */ at) => places.get(at) ?? LEFT;
}

function Track({ sent, name, x, y, won, words }) {
  const first = Math.min(...[sent.sent, sent.received, sent.at].filter((at) => at !== null).map(x));
  const last = x(sent.committed ?? sent.at);
  const log = sent.committed !== null && last;
  return html`<g><text x="14" y=${y - 22}>${name}</text><path class="trk" d=${`M${first} ${y}H${last + 6}`} />
    ${sent.sent !== null && html`<circle class="dot" cx=${x(sent.sent)} cy=${y} r="5" />`}
    ${sent.received !== null && html`<path class="dot" d=${`M${x(sent.received)} ${y - 8}v16`} />`}
    ${sent.arrived !== null && html`<circle class="in" cx=${x(sent.arrived)} cy=${y} r="3" />`}
    ${log && html`<path class="dot" d=${`M${last} ${y - 8}v16M${last + 5} ${y - 8}v16`} />`}
    ${won ? html`<rect class="win" x=${x(sent.at) - 6.5} y=${y - 9} width="13" height="18" rx="3" />`
      : html`<g><rect class="los" x=${x(sent.at) - 6.5} y=${y - 9} width="13" height="18" rx="3" /><path class="losx" d=${`M${x(sent.at) - 3.5} ${y - 3.5}l7 7m0-7l-7 7`} /></g>`}
    ${words && labels([["sent", sent.sent], ["gateway", sent.received], ["table", sent.at], ["log", sent.committed]], x).map(([word, at, low]) => html`<text key=${word} class="mut" x=${at} y=${y + (low ? 39 : 26)} text-anchor="middle">${t(`audit.finish.${word}`)}</text>`)}
  </g>`;
}

/** Words under their moments; what would touch its neighbour goes a line lower. @param {[string, number|null][]} words @param {(at: number) => number} x @returns {[string, number, boolean][]} */
function labels(words, x) {
  const ends = [0, 0];
  return words.flatMap(([word, at]) => {
    if (at === null) return [];
    const half = t(`audit.finish.${word}`).length * 3.2 + 3;
    const middle = Math.min(x(at), 386 - half);
    const low = middle - half < ends[0] && ends[0] - (middle - half) > ends[1] - (middle - half);
    ends[low ? 1 : 0] = middle + half;
    return [/** @type {[string, number, boolean]} */ ([word, middle, low])];
  });
}
