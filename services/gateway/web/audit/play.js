// The head on the timeline: where it stands, how it moves. It knows records and times, nothing of what is drawn.
import { redraw } from "../state.js";

export const SPEEDS = [1, 4, 16];

export class Head {
  /** @param {import("./book.js").Book} book @param {number} index */
  constructor(book, index) {
    this.book = book;
    this.index = index;
    this.at = book.scenes[index].at;
    this.speed = 1;
    this.playing = false;
    this.moved = () => {};
    this._frame = 0;
  }

  /** On one record, at the time that decided it. @param {number} index */
  go(index) {
    this.index = Math.max(0, Math.min(this.book.scenes.length - 1, index));
    this.at = this.book.scenes[this.index].at;
    this._changed();
  }

  /** At any moment. @param {number} at */
  seek(at) {
    this.at = Math.round(Math.max(this.book.scenes[0].at, Math.min(this.book.end, at)));
    this.index = this.book.indexAt(this.at);
    this._changed();
  }

  /** A record on or back; after the last comes the moment when all had seen it. @param {1|-1} by */
  step(by) {
    this.pause();
    const last = this.book.scenes.length - 1;
    if (by === 1 && this.index === last) return this.seek(this.book.end);
    if (by === -1 && this.at > this.book.scenes[this.index].at) return this.go(this.index);
    this.go(this.index + by);
  }

  /** The race that comes next, from the last one to the first. @returns {number|null} its place in the list */
  race() {
    const { races } = this.book;
    if (!races.length) return null;
    this.pause();
    const next = races.findIndex((one) => one.index > this.index);
    const place = next < 0 ? 0 : next;
    this.go(races[place].index);
    return place;
  }

  /** Plays, or stops playing; at the end from the beginning. */
  toggle() {
    if (this.playing) return this.pause();
    if (this.at >= this.book.end) this.go(0);
    this.playing = true;
    let before = performance.now();
    const tick = (/** @type {number} */ now) => {
      if (!this.playing) return;
      const passed = (now - before) * 1000 * this.speed;
      before = now;
      this.seek(this.at + this._stride(passed));
      if (this.at >= this.book.end) this.pause();
      else this._frame = requestAnimationFrame(tick);
    };
    this._frame = requestAnimationFrame(tick);
    this._changed();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this._frame);
    this._changed();
  }

  faster() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
    redraw();
  }

  /** Nothing is to be seen while a round is prepared: that passes ten times as fast. @param {number} passed */
  _stride(passed) { return this.at < this.book.zero ? passed * 10 : passed; }

  _changed() {
    this.moved();
    redraw();
  }
}
