// What is looked for, between the form, the page's address and the service: people type what they have, the service wants parts.

/** @typedef {{kind: string, within_ms: string, refused: string, table: string, player: string, from: string, to: string}} Asked as it stands in the form */
/** @typedef {{query: URLSearchParams, fault: null} | {query: null, fault: "table"|"times"|"within"}} Read */

/** @type {Asked} */
export const NOTHING = { kind: "", within_ms: "", refused: "", table: "", player: "", from: "", to: "" };
export const KINDS = ["any", "refused", "race", "swap", "call", "lost_call"];
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const CODE = /^[A-HJ-NP-Z2-9]{5}$/i;

/** @param {HTMLFormElement} form @returns {Asked} */
export const filledIn = (form) => ({ ...NOTHING, ...Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()])) });

/** What the address says of an earlier search. @param {URLSearchParams} address @returns {Asked} */
export const fromAddress = (address) => ({ ...NOTHING, ...Object.fromEntries([...address].filter(([name]) => name in NOTHING)) });

/** @param {Asked} asked */
export function toAddress(asked) {
  const said = new URLSearchParams(Object.entries(asked).filter(([, value]) => value));
  return `/audit${said.size ? `?${said}` : ""}`;
}

/** For the service: a table by id or code, also out of a link; times in microseconds. @param {Asked} asked @returns {Read} */
export function read(asked) {
  const query = new URLSearchParams();
  for (const name of /** @type {const} */ (["kind", "refused"])) if (asked[name]) query.set(name, asked[name]);
  if (asked.within_ms) {
    if (!(Number(asked.within_ms) >= 0)) return { query: null, fault: "within" };
    query.set("within_ms", asked.within_ms);
  }
  if (asked.table) {
    const [name, value] = tableIn(asked.table);
    if (!value) return { query: null, fault: "table" };
    query.set(name, value);
  }
  if (asked.player) query.set("player", personIn(asked.player));
  const [from, to] = [asked.from, asked.to].map((one) => (one ? new Date(one).getTime() * 1000 : null));
  if (Number.isNaN(from) || Number.isNaN(to) || (from !== null && to !== null && from > to)) return { query: null, fault: "times" };
  if (from !== null) query.set("from", String(Math.max(0, from)));
  if (to !== null) query.set("to", String(Math.max(0, to + (asked.to.length > 16 ? 999_999 : 59_999_999)))); // its whole second or minute
  return { query, fault: null };
}

/** @param {string} text @returns {["table"|"code", string|null]} */
function tableIn(text) {
  const id = text.match(ID);
  if (id) return ["table", id[0].toLowerCase()];
  const code = text.match(/[?&](?:join|code)=(\w+)/)?.[1] ?? text.replace(/\s/g, "");
  return ["code", CODE.test(code) ? code.toUpperCase() : null];
}

/** @param {string} text an id in any case, or a name as it is */
const personIn = (text) => (new RegExp(`^${ID.source}$`, "i").test(text) ? text.toLowerCase() : text.normalize("NFC"));

/** Whether an id was typed, not a name. @param {string} text */
export const isId = (text) => ID.test(text);
