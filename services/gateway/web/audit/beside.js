// What can lie beside a bundle: receipts that a player kept, and the key that alone is to be trusted.
import { t } from "../i18n.js";
import { html } from "../lib.js";
import { Pick } from "./find.js";

/** @param {{check: import("./check.js").Check, picked: (files: File[]) => void, trust: (key: string) => void}} props */
export function Beside({ check, picked, trust }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    trust(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("key")).trim());
  };
  return html`<section class="panel beside" aria-labelledby="beside-title"><h2 id="beside-title">${t("audit.beside")}</h2>
    <p class="small">${t("audit.beside.hint")}</p>
    <form onSubmit=${submit}><label for="trust">${t("audit.beside.trust")}</label>
      <textarea id="trust" class="field" name="key" rows="2" spellcheck=${false} autocomplete="off" placeholder="example.org/log+38ea1884+AUW7…" defaultValue=${check.trust.join("\n")}></textarea>
      <button type="submit" class="btn">${t("audit.beside.again")}</button><${Pick} picked=${picked} words=${t("audit.beside.files")} /></form></section>`;
}
