// The games this client can draw: a name, its module with its style sheet. The shell knows nothing else of a game.
import { style } from "../style.js";
import kwartet from "./kwartet.js";
import quatro from "./quatro.js";

/** @type {Record<string, import("../types.js").GameModule>} */
const games = { quatro, kwartet };

/** A game's module, once its style sheet is there. @param {string} name */
export async function game(name) {
  if (!games[name]) throw new Error(`a game that this client does not know: ${name}`);
  await style(games[name].css);
  return games[name];
}
