// A file that was not taken: its own lines, each fault under its line (K-PACK-3).
import { has, number, t } from "../i18n.js";
import { html } from "../lib.js";
import { Icon } from "../parts.js";

const FAULTS_MAX = 100;
/** Files up to this long are shown whole; of longer ones the lines around each fault. */
const WHOLE_MAX = 60;
const AROUND = 2;

/** @param {{refused: NonNullable<typeof import("./shelf.js").shelf.refused>}} props */
export function Faults({ refused: { lines, faults } }) {
  const some = faults.slice(0, FAULTS_MAX);
  const whole = some.filter((fault) => fault.line < 1 || fault.line > lines.length);
  const shown = visible(lines, some);
  return html`<div class="faulty">
    ${whole.length > 0 && html`<div class="wholefile">${whole.map((fault) => html`<${Words} fault=${fault} />`)}</div>`}
    <ol class="src" aria-label=${t("packs.file")} tabindex="0">${shown.map((n, i) => html`${i > 0 && n > shown[i - 1] + 1 && html`<li class="gap" aria-hidden="true">…</li>`}<${Line} key=${n} n=${n} text=${lines[n - 1]} faults=${some.filter((fault) => fault.line === n)} />`)}</ol>
    ${faults.length > FAULTS_MAX && html`<p class="small">${t("packs.more", { n: faults.length - FAULTS_MAX })}</p>`}</div>`;
}

/** The numbers of the lines to show. @param {string[]} lines @param {{line: number}[]} faults */
function visible(lines, faults) {
  const all = Array.from({ length: lines.at(-1) === "" ? lines.length - 1 : lines.length }, (_, i) => i + 1);
  if (all.length <= WHOLE_MAX) return all;
  const near = new Set(faults.flatMap(({ line }) => Array.from({ length: 2 * AROUND + 1 }, (_, i) => line + i - AROUND)));
  return all.filter((n) => near.has(n));
}

const Line = ({ n, text, faults }) => html`<li class=${faults.length ? "bad" : ""}><span class="n" aria-hidden="true">${n}</span><code>${text.length > 200 ? `${text.slice(0, 200)}…` : text || " "}</code>
  ${faults.map((fault) => html`<${Words} fault=${fault} n=${n} />`)}</li>`;

const Words = ({ fault, n = 0 }) => html`<p class="why"><${Icon} name="x" /><span>${n > 0 && html`<span class="vh">${t("packs.line", { n })} </span>`}${words(fault)}</span></p>`;

/** A fault in the reader's language: name, line and counts are taken from the server's words; a code we don't know keeps those. @param {{code: string, words: string}} fault */
function words({ code, words: said }) {
  if (!has(`packfault.${code}`)) return said;
  const name = said.match(/['"](.+)['"]/)?.[1] ?? "";
  const figures = said.match(/\d+/g) ?? [];
  const n = code === "four_members" ? figures.at(-1) : figures[0];
  return t(`packfault.${code}`, { name, line: said.match(/line (\d+)/)?.[1] ?? "", n: number(Number(n)), most: said.match(/at most (\d+)/)?.[1] ?? "", words: said });
}
