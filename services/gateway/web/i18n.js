// Words in the reader's language. One flat JSON file a language; a text is never put together from pieces of grammar.
import { set, settings } from "./settings.js";

export const LANGUAGES = { en: "English", nl: "Nederlands", fr: "Français" };

/** @type {Record<string, string>} */
let words = {};
let plural = new Intl.PluralRules("en");
export let language = "en";
const books = ["i18n/"];

/** A page with words of its own has them loaded as well. @param {string} prefix of its files */
export const alsoFrom = (prefix) => { books.push(prefix); };

/** Loads the chosen or the browser's language. @param {string} [wanted] */
export async function load(wanted) {
  const named = [wanted, settings.lang, ...navigator.languages].map((name) => (name || "").slice(0, 2).toLowerCase());
  const chosen = named.find((name) => name in LANGUAGES) || "en";
  const read = books.map(async (prefix) => (await fetch(`${prefix}${chosen}.json`, { credentials: "same-origin" })).json());
  words = Object.assign({}, ...(await Promise.all(read)));
  language = chosen;
  plural = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  if (wanted) set({ lang: wanted });
}

/**
 * The text of a key. `{name}` takes a value; `{n|# seat|# seats}` chooses by the number n and writes it at #.
 * @param {string} key @param {Record<string, unknown>} [values]
 */
export function t(key, values = {}) {
  const text = words[key];
  if (text === undefined) {
    console.error(`i18n: no text for ${key} in ${language}`);
    return key;
  }
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, other) => {
    const value = values[name];
    if (one === undefined) return apart(String(value ?? ""));
    return (plural.select(Number(value)) === "one" ? one : other).replaceAll("#", String(value));
  });
}

/** What is written from right to left keeps the rest of its sentence in order: first strong isolate, and its end. @param {string} value */
const apart = (value) => (/[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/.test(value) ? `\u2068${value}\u2069` : value);

/** @param {string} key */
export const has = (key) => key in words;

/** The text of a code, or of the fallback where a newer server sends one we do not know. @param {string} prefix @param {string} code */
export function coded(prefix, code, values = {}) {
  return has(`${prefix}.${code}`) ? t(`${prefix}.${code}`, values) : t(`${prefix}.other`, { code });
}

/** Small numbers in words, for titles and for the ear. @param {number} n */
export const number = (n) => (has(`number.${n}`) ? t(`number.${n}`) : String(n));

/** "Bo, Cas and Dee". @param {string[]} names */
export const list = (names) => new Intl.ListFormat(language, { type: "conjunction" }).format(names);

/** A margin as people read it: 1.2 ms, 38 ms, 4.5 s. @param {number} us */
export function margin(us) {
  const shown = (value, digits) =>
    value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  if (us < 10_000) return t("margin.ms", { n: shown(us / 1000, 1) });
  if (us < 1_000_000) return t("margin.ms", { n: shown(us / 1000, 0) });
  return t("margin.s", { n: shown(us / 1_000_000, 1) });
}
