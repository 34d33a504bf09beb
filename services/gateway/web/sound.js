// Sounds, made here and never the only cue: off until switched on and until a first gesture (the browsers' rule and ours).
import { settings } from "./settings.js";

/** @typedef {{f: number, ms: number, at?: number, type?: OscillatorType, gain?: number}} Note */

const bell = (f, at = 0) => ({ f, ms: 420, at, type: /** @type {const} */ ("triangle"), gain: 0.2 });
const note = (f, at = 0, ms = 160) => ({ f, ms, at });

/** @type {Record<string, Note[]>} */
const sounds = {
  knock: [{ f: 170, ms: 60, type: "square", gain: 0.12 }],
  refused: [{ f: 120, ms: 70, gain: 0.22 }, { f: 100, ms: 80, at: 110, gain: 0.22 }],
  tick: [{ f: 1400, ms: 25, gain: 0.08 }],
  pip: [{ f: 880, ms: 50, gain: 0.06 }],
  signSet: [note(523), note(784, 140)],
  vote: [bell(659)],
  quatro: [bell(659), bell(988, 160)],
  counter: [bell(659), bell(440, 160)],
  myTurn: [note(523), note(659, 150)],
  asked: [note(523)],
  family: [note(523), note(659, 140), note(784, 280), note(1047, 420, 300)],
  win: [note(523), note(659, 140), note(784, 280), note(1047, 420), note(523, 620, 500), note(1047, 620, 500)],
};

/** @type {AudioContext|null} */
let context = null;
let gesture = false;

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { gesture = true; }, { once: true, capture: true });

/** @param {string} name one of the sounds above; an unknown one is silence */
export function play(name) {
  if (!settings.sound || !gesture || document.hidden) return;
  context ??= new AudioContext();
  for (const one of sounds[name] ?? []) sing(context, one);
}

/** @param {AudioContext} to @param {Note} one */
function sing(to, { f, ms, at = 0, type = "sine", gain = 0.16 }) {
  const start = to.currentTime + at / 1000;
  const end = start + ms / 1000;
  const voice = to.createOscillator();
  const level = to.createGain();
  voice.type = type;
  voice.frequency.value = f;
  level.gain.setValueAtTime(0.0001, start);
  level.gain.exponentialRampToValueAtTime(gain, start + 0.008);
  level.gain.exponentialRampToValueAtTime(0.0001, end);
  voice.connect(level).connect(to.destination);
  voice.start(start);
  voice.stop(end + 0.02);
}
