// The top line: the clock, the scores, the menu. What the table asks or says borrows its right half.
import { left, minutes, useSeconds } from "../clock.js";
import { t } from "../i18n.js";
import { cls, html, useEffect, useMemo, useState } from "../lib.js";
import { Glyph, Icon, teamClass, teamName, TEAMS } from "../parts.js";
import { sheet, ui } from "../state.js";

/** The clock in large figures. In the last thirty seconds it is underlined, in the last ten it swells. */
export function Clock({ deadline, label, frozen, urgent, class: more }) {
  const running = useSeconds(frozen === undefined ? deadline : null);
  const seconds = frozen ?? running;
  if (seconds === null) return html`<span class=${cls("clock", more)}></span>`;
  return html`<time class=${cls("clock", more, { late: urgent && seconds <= 30, last: urgent && seconds <= 10 })}
      role="timer" aria-label=${t(label, { time: minutes(seconds) })}>
    <span key=${urgent && seconds <= 10 ? seconds : 0}>${minutes(seconds)}</span></time>`;
}

/** The bar under the line runs down with the clock; it starts full when this browser first saw the deadline. */
export function Run({ deadline, whole }) {
  const style = useMemo(() => {
    const rest = deadline ? left(deadline) : 0;
    return { "--dur": `${rest}ms`, "--from": String(Math.min(1, whole ? rest / whole : 1)) };
  }, [deadline]);
  return html`<span class="run" aria-hidden="true">${deadline ? html`<i key=${deadline} style=${style}></i>` : null}</span>`;
}

/** Points of each team: ours filled, theirs outlined. */
export function Score({ points, mine }) {
  return html`<ul class="score" aria-label=${t("top.score")}>
    ${points.map((n, team) => html`<li key=${team} class=${cls(teamClass(team), { us: team === mine })}
        aria-label=${t(team === mine ? "top.points.us" : "top.points", { team: teamName(team), n })} data-score=${team}>
      <${Glyph} name=${TEAMS[team]} /><b>${n}</b></li>`)}
  </ul>`;
}

export const MenuButton = () => html`<button type="button" class="btn icon" aria-label=${t("menu.title")}
    aria-haspopup="dialog" onClick=${() => sheet("menu")}><${Icon} name="menu" /></button>`;
export const HelpButton = () => html`<button type="button" class="btn icon wide" aria-label=${t("help.title")}
    aria-haspopup="dialog" onClick=${() => sheet("help")}><${Icon} name="help" /></button>`;

/** Brand and table at the left of a desktop's top line. */
export const Brand = ({ title, line }) => html`<span class="wide row brandline"><${Glyph} name="quad" class="logo" />
    <b class="show">${title}</b><small>${line}</small></span>`;

/** What borrows the right half: the connection first, then what the game asks, then a notice. */
export function Says({ table, children }) {
  const lost = useLate(table.live.status === "lost");
  if (lost) {
    const reason = table.live.reason;
    return html`<div class="says" role="status"><${Icon} name="clock" /><span><b>${t("connection.lost")}</b>
        <small>${reason ? t("connection.closing") : t("connection.kept")}</small></span></div>`;
  }
  if (children) return children;
  const { notice } = ui;
  return notice && html`<div class="says" key=${notice.id}><span>
      <b>${notice.text}</b>${notice.detail && html`<small>${notice.detail}</small>`}</span></div>`;
}

/** True once something has lasted a second. @param {boolean} is */
export function useLate(is) {
  const [late, set] = useState(false);
  useEffect(() => {
    if (!is) return set(false);
    const timer = setTimeout(() => set(true), 1000);
    return () => clearTimeout(timer);
  }, [is]);
  return is && late;
}
