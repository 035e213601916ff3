// Attributes of real elements.

import type { Resources } from "../decode/resources.ts";
import type { MediaPreferences } from "../history/document-log.ts";
import { PLAYER_POPOVER_ATTRIBUTE } from "../rare/top-layer.ts";
import { HTML_NAMESPACE, type ModelNode } from "../state/node.ts";
import { FRAMED_ATTRIBUTE } from "./framed-documents.ts";
import { ADDED_ATTRIBUTES, RECORDED_VALUE_PREFIX } from "./player-attributes.ts";
import { freezeMediaFeatures } from "./media-preferences.ts";
import {
  SVG_ANIMATION_ELEMENTS,
  allowsPaintedValue,
  isLinkAttribute,
  chooseAttributeTreatment,
} from "./allow-lists.ts";

const NAMESPACES: Readonly<Record<string, string>> = {
  xlink: "http://www.w3.org/1999/xlink",
  xml: "http://www.w3.org/XML/1998/namespace",
  xmlns: "http://www.w3.org/2000/xmlns/",
};

/**
 * Returns the attributes to set on the real element of a node. `whole` is false while a resource that they need is
 * being read.
 */
export function computePaintedAttributes(
  node: ModelNode,
  resources: Resources,
  preferences: MediaPreferences,
): { attributes: Map<string, string>; whole: boolean } {
  const attributes = new Map<string, string>();
  let whole = true;
  const { shown } = node.state;
  for (const name of Object.keys(node.attributes)) {
    const value = node.attributes[name] as string;
    const verdict = chooseAttributeTreatment(node.tag, name, value, node.attributes);
    if (verdict === "drop") continue;
    let instead = shown?.[name];
    if (name === "style" && verdict === "paint" && /color-scheme/i.test(value)) {
      const told = freezeMediaFeatures(instead ?? value, preferences);
      if (told !== value) instead = told;
    }
    const { exact } = node.state;
    if (
      name === "style" &&
      exact !== undefined &&
      instead === undefined &&
      chooseAttributeTreatment(node.tag, name, exact, node.attributes) === "paint"
    )
      instead = exact;
    if (instead === undefined && verdict === "paint") {
      attributes.set(name, value);
      continue;
    }
    const was = name.replaceAll(":", "-");
    attributes.set(RECORDED_VALUE_PREFIX + (node.tag.includes("|") ? was : was.toLowerCase()), value);
    if (isLinkAttribute(node.tag, name)) attributes.set(name, "#"); // It looks like a link, and leads nowhere.
    if (instead === undefined || instead === null || node.tag === "link") continue;
    const filled = resources.fill(instead);
    if (filled === undefined) whole = false;
    else if (allowsPaintedValue(node.tag, name, filled)) attributes.set(name, filled);
  }
  // When it begins and ends is a script's or a person's doing, or the page's own clock's: a replay's begins it where it began.
  const { begin, end } = node.state.drawing ?? {};
  if (begin !== undefined && SVG_ANIMATION_ELEMENTS.has(node.tag)) {
    const added: string[] = [];
    for (const [name, at] of Object.entries({ begin, end })) {
      if (at === undefined) continue;
      const was = node.attributes[name];
      if (was === undefined) added.push(name);
      else attributes.set(RECORDED_VALUE_PREFIX + name, was);
      attributes.set(name, `${at}s`);
    }
    if (added.length) attributes.set(ADDED_ATTRIBUTES, added.join(" "));
  }
  if (node.tag === "video" && shown?.poster && node.attributes.poster === undefined) {
    const still = resources.fill(shown.poster);
    if (still === undefined) whole = false;
    else if (allowsPaintedValue("video", "poster", still))
      attributes.set("poster", still).set(ADDED_ATTRIBUTES, "poster");
  }
  return { attributes, whole };
}

/** Sets the attributes of a real element to `wanted`, and removes all others, except the player's own. */
export function setAttributes(element: Element, wanted: ReadonlyMap<string, string>): void {
  for (const { name } of [...element.attributes]) {
    if (name === "popover" && element.hasAttribute(PLAYER_POPOVER_ATTRIBUTE)) continue;
    if (wanted.has(name) || ((name === "data" || name === "src") && element.hasAttribute(FRAMED_ATTRIBUTE))) continue;
    if (name.startsWith("data-pagereel") && !name.startsWith(RECORDED_VALUE_PREFIX) && name !== ADDED_ATTRIBUTES)
      continue;
    element.removeAttribute(name);
  }
  for (const [name, value] of wanted) if (element.getAttribute(name) !== value) setAttribute(element, name, value);
}

function setAttribute(element: Element, name: string, value: string): void {
  const colon = name.indexOf(":");
  const namespace = colon > 0 && element.namespaceURI !== HTML_NAMESPACE ? NAMESPACES[name.slice(0, colon)] : undefined;
  try {
    if (namespace) element.setAttributeNS(namespace, name, value);
    else if (name === "xmlns" && element.namespaceURI !== HTML_NAMESPACE)
      element.setAttributeNS(NAMESPACES.xmlns as string, name, value);
    // Of XML, where it is another attribute than the one in lower case.
    else if (/[A-Z]/.test(name)) element.setAttributeNS(null, name, value);
    else element.setAttribute(name, value);
  } catch {
    setOddAttribute(element, name, value);
  }
}

/** Names that markup allows and `setAttribute` does not, `@click` or `[value]`: an attribute node is borrowed from a parsed element. */
function setOddAttribute(element: Element, name: string, value: string): void {
  if (!/^=?[^\s"'<>/=]+$/.test(name) || name.includes("\0")) return;
  const parsed = new DOMParser().parseFromString(`<p ${name}>`, "text/html");
  const attribute = parsed.querySelector("p")?.attributes[0];
  if (!attribute || /^on/i.test(attribute.name)) return;
  attribute.ownerElement?.removeAttributeNode(attribute);
  const own = element.ownerDocument.importNode(attribute, true);
  own.value = value;
  try {
    element.setAttributeNode(own);
  } catch {
    // An attribute that no browser would have made.
  }
}
