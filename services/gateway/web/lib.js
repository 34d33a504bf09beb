// The one place that names the library: Preact drawn with htm templates, so that no build step is needed.
import htm from "./vendor/htm.js";
import { h } from "./vendor/preact.js";

export { Fragment, render } from "./vendor/preact.js";
export { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "./vendor/hooks.js";

export const html = htm.bind(h);

/** Class names of what is true: cls("card", {sel: chosen}). @param {...(string|false|null|undefined|Record<string, unknown>)} parts */
export function cls(...parts) {
  return parts
    .flatMap((part) => (typeof part === "object" && part ? Object.keys(part).filter((key) => part[key]) : part || []))
    .join(" ");
}
