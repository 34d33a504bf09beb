// What this browser can bear witness to, on the way in: the checkpoint it holds, or the two that contradict each other.
import { t } from "../i18n.js";
import { html } from "../lib.js";
import { Icon } from "../parts.js";
import { contradiction, kept } from "./witness.js";

export function Witnessed() {
  const broken = contradiction();
  if (broken) {
    const evidence = new Blob([`${broken.before}\n${broken.after}`], { type: "text/plain" });
    return html`<section class="auditor cut" role="alert"><p>${t("audit.witness.broken")}</p><a class="btn" href=${URL.createObjectURL(evidence)} download="checkpoints.txt"><${Icon} name="down" />${t("audit.witness.save")}</a></section>`;
  }
  const [note] = kept();
  if (!note) return null;
  const [origin, size] = note.split("\n");
  return html`<p class="small">${t("audit.witness", { origin, n: Number(size) })}</p>`;
}
