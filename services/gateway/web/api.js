// The calls to /api: each gives a value or the code of a refusal, never a throw. Tokens stand in a header only.
import { me, remember } from "./settings.js";

/** @typedef {{ok: true, value: any} | {ok: false, code: string, status: number, detail: any}} Answer */

/** @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<Answer>} */
export const ask = (method, path, body) => (body === undefined ? send(method, path) : send(method, path, JSON.stringify(body), "application/json"));

/** The same with a body as it is: a file. @param {string} method @param {string} path @param {BodyInit} [body] @param {string} [type] @returns {Promise<Answer>} */
export async function send(method, path, body, type) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (type) headers["Content-Type"] = type;
  if (me.token) headers.Authorization = `Bearer ${me.token}`;
  try {
    const answer = await fetch(`/api${path}`, { method, headers, body });
    const value = await answer.json().catch(() => ({}));
    renew(answer, value);
    if (answer.ok) return { ok: true, value };
    return { ok: false, code: value.code ?? `http_${answer.status}`, status: answer.status, detail: value };
  } catch {
    return { ok: false, code: "offline", status: 0, detail: {} };
  }
}

/** A used token is renewed by the server. @param {Response} answer @param {any} value */
function renew(answer, value) {
  const fresh = answer.headers.get("X-Quartet-Token") ?? (me.token && value?.renewed_token);
  if (fresh) remember({ token: fresh });
}

/** Makes sure that I am a player of this name. @param {string} name @returns {Promise<Answer>} */
export async function introduce(name) {
  if (me.token && me.player && me.name === name) return { ok: true, value: me };
  const answer = await ask("POST", "/players", { name });
  if (answer.ok) remember({ name: answer.value.name, player: answer.value.player_id, token: answer.value.token });
  return answer;
}

/** The same call again as a new player, where the token is too old. @param {string} name @param {() => Promise<Answer>} call */
export async function asPlayer(name, call) {
  const introduced = await introduce(name);
  if (!introduced.ok) return introduced;
  const answer = await call();
  if (answer.ok || answer.status !== 401) return answer;
  remember({ token: null, player: null });
  const again = await introduce(name);
  return again.ok ? call() : again;
}

/** 128 random bits as an id; randomUUID needs a secure page, a phone on the kitchen's network has none. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Sits down by HTTP, so that the socket opens as a seat. Already seated there is as good. @param {string} table @returns {Promise<Answer>} */
export async function sitDown(table) {
  const answer = await ask("POST", `/tables/${table}/commands`, { id: uuid(), command: { type: "Sit" } });
  if (!answer.ok || answer.value.accepted || answer.value.refused === "already_seated") return answer;
  return { ok: false, code: answer.value.refused, status: 409, detail: answer.value };
}
