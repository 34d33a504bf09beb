// PNG pictures of a pack of one's own: sent first, then named in the file by what the server calls them. It judges them, not we.
import { asPlayer, send } from "../api.js";
import { has, t } from "../i18n.js";

/** @typedef {{name: string, url: string, picture: string|null, fault: string}} Picture */

const TRIES_MAX = 5;
const REST_MS = 1000;

/** @param {File} file */
export const isPicture = (file) => file.type === "image/png" || /\.(png|jpe?g|gif|webp|svg)$/i.test(file.name) || file.type.startsWith("image/");

/** Sends one; what is wrong with it is kept in words. @param {File} file @param {string} player @returns {Promise<Picture>} */
export async function add(file, player) {
  const kept = { name: file.name, url: URL.createObjectURL(file), picture: null, fault: "" };
  for (let tries = 1; ; tries += 1) {
    const answer = await asPlayer(player, () => send("POST", "/pictures", file, "image/png"));
    if (answer.ok) return { ...kept, picture: answer.value.picture };
    if (answer.status !== 429 || tries === TRIES_MAX) return { ...kept, fault: words(answer, file) };
    await new Promise((done) => setTimeout(done, REST_MS));
  }
}

/** @param {{code: string, detail: any}} answer @param {File} file */
function words({ code, detail }, file) {
  if (code === "too_large") return t("pictures.too_large", { kb: Math.ceil(file.size / 1024) });
  if (code === "bad_picture") return t(/pixels/.test(detail?.detail ?? "") ? "pictures.too_wide" : "pictures.not_png");
  return t(has(`fault.${code}`) ? `fault.${code}` : "fault.other", { code });
}

/**
 * The file with each picture's name in the place of a picture put as the server knows it; lines stay lines.
 * @param {string} text @param {boolean} json @param {Picture[]} pictures
 */
export function named(text, json, pictures) {
  const known = new Map(pictures.flatMap(({ name, picture }) => (picture ? [[name.toLowerCase(), picture]] : [])));
  const put = (/** @type {string} */ whole, /** @type {string} */ before, /** @type {string} */ name, /** @type {string} */ after) => {
    const picture = known.get(name.trim().toLowerCase());
    return picture ? before + picture + after : whole;
  };
  return json ? text.replace(/("picture"\s*:\s*")([^"\n]+)(")/g, put) : text.replace(/^(.*,\s*"?)([^,"\r\n]+?)("?[ \t]*)$/gm, put);
}
