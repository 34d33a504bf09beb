// The table as it lies for me: seats clockwise from my left, my partner, what I hold. Read from the view, nothing decided here.
import { TEAMS } from "../parts.js";

/** The wall of signs, six by four: the place of each is remembered, so the order never changes. */
export const SIGNS = [..."🍍🚀🐢⚽🦋🎩🌵🍄⚡🍇🚲👻🌈🎸🎁🥕🔔⛵🦊🎲☔🧦🥨🔑"];

/** @param {any} table */
export function look(table) {
  const view = table.public;
  const n = view.seats.length;
  const me = table.seat ?? 0;
  const around = Array.from({ length: n - 1 }, (_, i) => (me + i + 1) % n);
  const team = view.seats[me].team;
  return {
    view, own: table.own, n, me, around, team,
    watching: table.seat === null,
    played: played(view),
    partner: (me + n / 2) % n,
    teams: n / 2,
    hand: /** @type {string[]} */ (table.own?.hand ?? []),
  };
}

/** The round on the table: at its Award the number already counts for the next. @param {any} view @returns {number} */
export const played = (view) => (view.phase === "break" || view.phase === "over" ? view.round - 1 : view.round);

/** Where a seat stands for me: s1 is my left neighbour, then clockwise. @param {ReturnType<typeof look>} at @param {number} seat */
export const area = (at, seat) => `s${(seat - at.me + at.n) % at.n}`;

/** The seats of a team. @param {any} view @param {number} team @returns {number[]} */
export const members = (view, team) => view.seats.flatMap((seat, i) => (seat.team === team ? [i] : []));

/** The teams that are not mine. @param {ReturnType<typeof look>} at */
export const rivals = (at) => TEAMS.slice(0, at.teams).flatMap((_, team) => (team === at.team && !at.watching ? [] : [team]));
