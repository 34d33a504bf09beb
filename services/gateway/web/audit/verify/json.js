// JSON in its one canonical form, and how a check ends: something is wrong, or it is not for this program to judge.

/** Something does not follow: of what kind, in words, and at which record if it is one's. */
export class Wrong extends Error {
  /** @param {string} kind @param {string} detail @param {number|null} [version] */
  constructor(kind, detail, version = null) {
    super(detail);
    this.kind = kind;
    this.detail = detail;
    this.version = version;
  }
}

/** Another format, game or revision of the rules. */
export class CannotTell extends Error {}

export const INTEGER_MAX = 2 ** 53;

/** Keys sorted by code points, no spaces. @param {any} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.keys(value).sort(byCodePoint).filter((key) => value[key] !== undefined).map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** @param {string} a @param {string} b */
function byCodePoint(a, b) {
  if (/^[\0-\ud7ff]*$/.test(a) && /^[\0-\ud7ff]*$/.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  const [one, other] = [[...a], [...b]];
  for (let i = 0; i < Math.min(one.length, other.length); i++) {
    const far = (one[i].codePointAt(0) ?? 0) - (other[i].codePointAt(0) ?? 0);
    if (far) return far;
  }
  return one.length - other.length;
}

/** A value from its canonical text; throws for any other text. @param {string} text */
export function parse(text) {
  const value = JSON.parse(text);
  if (canonical(value) !== text || /\\ud[89a-f]/.test(text)) throw new TypeError("not in canonical form");
  return value;
}

/** An integer that every reader of JSON keeps exactly. @param {unknown} value */
export const isNumber = (value) => Number.isInteger(value) && Math.abs(/** @type {number} */ (value)) <= INTEGER_MAX;

/** @param {unknown} value @returns {value is Record<string, any>} */
export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Whether an object has these fields and no others. @param {object} value @param {Iterable<string>} names */
export function hasExactly(value, names) {
  const wanted = new Set(names);
  const keys = Object.keys(value);
  return keys.length === wanted.size && keys.every((key) => wanted.has(key));
}
