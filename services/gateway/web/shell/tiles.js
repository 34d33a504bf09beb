// The wall of tiles on the start page: four quarters meet in one figure, seven rows of four. Drawn, not loaded.
import { html } from "../lib.js";

// ground, colour of the corners, kind of figure, its colour: see the classes a b c w y in start.css
const WALL = `
  aw*b wcqa abqy wa*c
  baqw wcqa wcqa w-ra
  wcqa abqw wcqa ca*w
  abqw bw*a abqy bw*a
  b-ra w-ra bw*a cwqa
  wcqa wcqa baqw wado
  ca*w wcqa cwqa abqy`.trim().split(/\s+/);

const SIDE = 160;
const star = "M0 -64Q11.2 -11.2 64 0Q11.2 11.2 0 64Q-11.2 11.2 -64 0Q-11.2 -11.2 0 -64z";
const at = [[-1, -1], [-1, 1], [1, -1], [1, 1]];

/** @param {string} color @param {number} radius */
const corners = (color, radius) => at.map(([x, y]) => html`<path class=${color} d=${`M${80 * x} ${80 * y}v${-y * radius}A${radius} ${radius} 0 0 ${x * y > 0 ? 0 : 1} ${(80 - radius) * x} ${80 * y}z`} />`);
/** @param {string} color @param {number} far @param {number} radius */
const discs = (color, far, radius) => at.map(([x, y]) => html`<circle class=${color} cx=${far * x} cy=${far * y} r=${radius} />`);

/** @param {string} code */
function figure([ground, edge, kind, color]) {
  switch (kind) {
    case "q": return [corners(edge, 27.2), discs(color, 28.8, 34.4), html`<circle class=${ground} r="9.6" />`];
    case "r": return [discs(ground === "b" ? "a" : "c", 40, 34.4), discs(ground === "b" ? "w" : "a", 40, 16), html`<circle class=${ground === "b" ? "w" : "a"} r="12.8" />`];
    case "d": return [corners("c", 49.6), corners(edge, 32), html`<circle class="a" r="24" /><circle class="w" r="11.2" />`];
    default: return [corners(edge, 40), html`<path class=${color} d=${star} />`];
  }
}

export const Tiles = () => html`<svg class="tiles" viewBox="0 0 640 1120" preserveAspectRatio="xMidYMin slice" aria-hidden="true">
  ${WALL.map((code, i) => html`<g key=${i} transform=${`translate(${(i % 4) * SIDE + 80} ${Math.floor(i / 4) * SIDE + 80})`}>
    <rect class=${code[0]} x="-80" y="-80" width="160" height="160" />
    ${figure(code)}<path class="l" d="M-80 0h160M0 -80v160M-80 -80h160v160" /></g>`)}
</svg>`;
