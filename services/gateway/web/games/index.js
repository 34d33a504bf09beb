// The games this client can draw: a name, its module, its style sheet. The shell knows nothing else of a game.

/** @type {Record<string, () => Promise<{default: import("../types.js").GameModule}>>} */
const games = {
  quatro: () => import("./quatro.js"),
  kwartet: () => import("./kwartet.js"),
};

/** @type {Map<string, Promise<import("../types.js").GameModule>>} */
const loaded = new Map();

/** Loads a game's module and its style sheet, once. @param {string} name */
export function game(name) {
  const known = loaded.get(name);
  if (known) return known;
  if (!games[name]) throw new Error(`a game that this client does not know: ${name}`);
  const loading = games[name]().then(async ({ default: module }) => {
    await style(module.css);
    return module;
  });
  loaded.set(name, loading);
  return loading;
}

/** @param {string} href */
export function style(href) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
  return new Promise((done) => { link.onload = link.onerror = done; });
}

/** @param {string} name */
export const knows = (name) => name in games;
