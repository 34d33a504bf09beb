// Auditors see every table's finished rounds: they look with a token of their own, which this tab forgets when it is closed.
import { t } from "../i18n.js";
import { html } from "../lib.js";
import { actAs, isActing, isAuditor } from "../settings.js";

export function Auditor() {
  const become = (/** @type {string} */ token) => { actAs(token); location.reload(); };
  if (isActing()) return html`<section class="auditor"><p>${t(isAuditor() ? "audit.auditor.is" : "audit.auditor.other")}</p><button type="button" class="btn" onClick=${() => become("")}>${t("audit.auditor.leave")}</button></section>`;
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const token = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("token")).trim();
    if (token) become(token);
  };
  return html`<details class="auditor"><summary>${t("audit.auditor")}</summary>
    <form onSubmit=${submit}><label>${t("audit.auditor.token")}<input class="field" name="token" type="password" autocomplete="off" required /></label>
      <button type="submit" class="btn">${t("audit.auditor.look")}</button></form><p class="small">${t("audit.auditor.how")}</p></details>`;
}
