// The server's time, in microseconds, estimated from the frames. The machine's own clock decides nothing (C-14).
import { useEffect, useState } from "./lib.js";

/** @type {{offset: number, at: number}[]} */
let samples = [];
let offset = 0;

const local = () => performance.now() * 1000;

/** Notes a frame's `now`. The least delayed of the last minute is the best. @param {number} server @param {number} [roundTrip] of the ping it answers */
export function note(server, roundTrip) {
  const at = local();
  const sample = { offset: server - at + (roundTrip ?? 0) / 2, at };
  // A machine that slept counts no time meanwhile: what is a second off is not delay but a new beginning.
  if (Math.abs(sample.offset - offset) > 1_000_000) samples = [];
  samples = [...samples.filter((old) => at - old.at < 60_000_000), sample].slice(-32);
  offset = Math.max(...samples.map((one) => one.offset));
}

/** Now, on the table's clock. */
export const now = () => Math.round(local() + offset);

/** Milliseconds until a deadline, never below zero. @param {number} deadline */
export const left = (deadline) => Math.max(0, (deadline - now()) / 1000);

/** Whole seconds until a deadline, drawn again at each change; null without a deadline. @param {number|null|undefined} deadline */
export function useSeconds(deadline) {
  const [, again] = useState(0);
  useEffect(() => {
    if (!deadline) return;
    /** @type {ReturnType<typeof setTimeout>} */
    let timer;
    const tick = () => {
      again((n) => n + 1);
      const rest = left(deadline);
      if (rest > 0) timer = setTimeout(tick, (rest % 1000) + 15);
    };
    timer = setTimeout(tick, (left(deadline) % 1000) + 15);
    return () => clearTimeout(timer);
  }, [deadline]);
  return deadline ? Math.ceil(left(deadline) / 1000 - 0.02) : null;
}

/** True until a moment has passed, then drawn again. @param {number|null|undefined} moment */
export function useUntil(moment) {
  const [, again] = useState(0);
  const rest = moment ? left(moment) : 0;
  useEffect(() => {
    if (!moment || left(moment) <= 0) return;
    const timer = setTimeout(() => again((n) => n + 1), left(moment) + 5);
    return () => clearTimeout(timer);
  }, [moment]);
  return rest > 0;
}

/** 2:07 @param {number} seconds */
export const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
