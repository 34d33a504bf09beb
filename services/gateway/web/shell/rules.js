// House rules, drawn from the JSON Schema that the server gives for a game. What they mean is the server's business.
import { has, t } from "../i18n.js";
import { html, useEffect, useState } from "../lib.js";
import { Choice, Switch } from "../parts.js";

/** @param {string} game @param {string} name */
const label = (game, name) => (has(`rule.${game}.${name}`) ? t(`rule.${game}.${name}`) : name.replaceAll("_", " "));

/** What differs from the usual, in words. @param {import("../types.js").GameInfo} game @param {Record<string, any>} rules */
export function differing(game, rules) {
  const changed = Object.entries(game.rules.properties ?? {}).filter(([name, rule]) => name !== "pack" && name in rules && rules[name] !== rule.default);
  return changed.length ? worded(game.game, Object.fromEntries(changed.map(([name]) => [name, rules[name]]))) : [t("rules.usual")];
}

/** House rules in words, one each: a view holds those that differ from the ordinary ones. @param {string} game @param {Record<string, any>} [rules] */
export const worded = (game, rules = {}) => Object.entries(rules).map(([name, value]) => phrase(game, name, value));

/** "first to 3"; a rule that a newer server has is named as it is. @param {string} game @param {string} name @param {any} value */
function phrase(game, name, value) {
  const key = [`house.${game}.${name}.${value}`, `house.${game}.${name}`].find(has);
  return key ? t(key, { n: value }) : `${label(game, name)} ${shown(game, name, value)}`;
}

/** @param {string} game @param {string} name @param {any} value */
function shown(game, name, value) {
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  return typeof value === "string" && has(`rule.${game}.${name}.${value}`) ? t(`rule.${game}.${name}.${value}`) : String(value);
}

/** @param {{game: import("../types.js").GameInfo, rules: Record<string, any>, change: (rules: any) => void, open: boolean, setOpen: (open: boolean) => void}} props */
export function HouseRules({ game, rules, change, open, setOpen }) {
  const put = (name, value) => change({ ...rules, [name]: value });
  return html`<div class="house">
    <${Choice} label=${t("rules.who")} name="who" value=${open} pick=${setOpen} options=${[[false, t("rules.private.title")], [true, t("rules.open.title")]]} />
    ${Object.entries(game.rules.properties ?? {}).map(([name, rule]) => html`<${Rule} key=${game.game + name} game=${game.game} name=${name} rule=${rule} value=${rules[name] ?? rule.default} put=${put} />`)}
    <button type="button" class="btn" onClick=${() => change({})}>${t("rules.asUsual")}</button>
  </div>`;
}

function Rule({ game, name, rule, value, put }) {
  if (rule.enum) {
    return html`<div class="rule"><span>${label(game, name)}</span><${Choice} label=${label(game, name)} name=${name} value=${value}
      pick=${(one) => put(name, one)} options=${rule.enum.map((one) => [one, shown(game, name, one)])} /></div>`;
  }
  if (rule.type === "boolean") return html`<${Switch} label=${label(game, name)} on=${value} flip=${(on) => put(name, on)} />`;
  // "None, or from so much to so much": nought is none.
  const range = rule.anyOf?.find((one) => one.type === "number");
  if (range && rule.anyOf?.some((one) => one.const === 0)) return html`<${Figure} game=${game} name=${name} rule=${{ ...range, zero: true }} value=${value} put=${put} />`;
  if (rule.type !== "number" && rule.type !== "integer") return null;
  return html`<${Figure} game=${game} name=${name} rule=${rule} value=${value} put=${put} />`;
}

/** A number as it is being written: what is half written stands, and counts once it is a number. */
function Figure({ game, name, rule, value, put }) {
  const [text, write] = useState(String(value));
  useEffect(() => { if (Number(text) !== value) write(String(value)); }, [value]);
  const read = (event) => {
    write(event.target.value);
    if (event.target.value !== "") put(name, Number(event.target.value));
  };
  return html`<label class="rule"><span>${label(game, name)}<small>${t(rule.zero ? "rules.rangeOrNone" : "rules.range", { min: rule.minimum, max: rule.maximum })}</small></span>
    <input class="field" type="number" min=${rule.zero ? 0 : rule.minimum} max=${rule.maximum} step=${rule.type === "integer" ? 1 : "any"} value=${text} onInput=${read} /></label>`;
}
