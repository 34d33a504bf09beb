// Decisions as they are recorded: events (a list), or one refusal (an object); and what the house has to do, when.

/** @typedef {Record<string, any>} Json */
/** @typedef {Json[] | Json} Decision */
/** @typedef {{version: number, at: number, by: number|string, why: string|null}} Past a record that others can lose to */
/** @typedef {{at: number, order: number, seat: number, command: Json, own: boolean}} Due `own`: at its own time even when found late */

/** @param {string} type @param {Json} [fields] @returns {Json} */
export const event = (type, fields = {}) => ({ type, ...fields });

/** What says nothing is left out. @param {string} code @param {Json|null} [lost] @param {number|null} [wait] @returns {Json} */
export const refuse = (code, lost = null, wait = null) => ({ code, ...(lost && { lost_to: lost }), ...(wait !== null && { wait_until: wait }) });

/** The record that won a race, and by how many µs. @param {number} version @param {number|string} by @param {number} margin @param {string|null} why @returns {Json} */
export const lostTo = (version, by, margin, why) => ({ version, by, margin_us: margin, ...(why !== null && { why }) });

/** @param {number} version @param {number} at @param {number|string} by @param {string|null} [why] @returns {Past} */
export const past = (version, at, by, why = null) => ({ version, at, by, why });

/** What a command at this time lost to. @param {Past} won @param {number} at */
export const beats = (won, at) => lostTo(won.version, won.by, at - won.at, won.why);

/** @param {number} at @param {number} order T-LATE-2's @param {number} seat @param {Json} command @param {boolean} [own] @returns {Due} */
export const due = (at, order, seat, command, own = false) => ({ at, order, seat, command, own });

export const [END_OF_ROUND, END_OF_VOTE, BEAT, END_OF_TURN, HOST, FREED, OPENING, END_OF_BREAK, CLOSING, OTHER] = Array.from({ length: 10 }, (_, i) => i);
