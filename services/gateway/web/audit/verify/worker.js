// The check, off the page's thread: bytes in, percents and at last the report out.
import { check } from "./check.js";

const scope = /** @type {any} */ (self);

scope.onmessage = (/** @type {{data: ArrayBuffer}} */ { data }) => {
  let said = 0;
  const report = check(new Uint8Array(data), (done, all) => {
    const percent = Math.floor((100 * done) / all);
    if (percent > said) scope.postMessage({ percent: said = percent });
  });
  scope.postMessage({ report });
};
