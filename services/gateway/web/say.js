// Live regions: what happens, for those who hear it. Two of each kind are used in turn, so that equal texts are both spoken (C-25).

const GATHER_MS = 2000;
/** @type {Record<string, {regions: HTMLElement[], next: number, texts: string[]}>} */
const voices = {};

for (const kind of ["polite", "assertive"]) {
  const regions = [0, 1].map(() => {
    const region = document.createElement("p");
    region.setAttribute("aria-live", kind);
    region.setAttribute("aria-atomic", "true");
    document.getElementById("voices")?.append(region);
    return region;
  });
  voices[kind] = { regions, next: 0, texts: [] };
}

/** Calls, turns, losses: spoken over whatever is being said. @param {string} text */
export const shout = (text) => speak("assertive", text);

/** Play: spoken when the voice is free. @param {string} text */
export const say = (text) => speak("polite", text);

/** @type {string|null} */
let waiting = null;
let gathered = 0;

/** Others' small doings: only the newest, at most one in two seconds. @param {string} text */
export function mention(text) {
  waiting = text;
  const rest = gathered + GATHER_MS - performance.now();
  if (rest <= 0) release();
  else setTimeout(release, rest);
}

function release() {
  if (waiting === null || performance.now() - gathered < GATHER_MS) return;
  gathered = performance.now();
  say(waiting);
  waiting = null;
}

/** What one change brings is one saying: a second text would take the first away unheard. @param {string} kind @param {string} text */
function speak(kind, text) {
  const { texts } = voices[kind];
  texts.push(text);
  if (texts.length === 1) queueMicrotask(() => write(kind, texts.splice(0).join(" ")));
}

/** @param {string} kind @param {string} text */
function write(kind, text) {
  const voice = voices[kind];
  voice.regions[1 - voice.next].textContent = "";
  voice.regions[voice.next].textContent = text;
  voice.next = 1 - voice.next;
}
