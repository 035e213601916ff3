// The third wall: what of a node may reach the real DOM. The injector and the builder have left out what is judged here already; this is the
// one place where attributes are set, so it holds for markup, for mutations and for a file that somebody made by hand. It lets in what is
// listed; what else there is, and what browsers may come to know, is kept to be read.

import * as lists from "../../../allow.json";

/**
 * What to do with an attribute. `paint`: set it. `withhold`: store its value as `data-pagereel-was-…`. `drop`: leave
 * it out.
 */
export type AttributeTreatment = "paint" | "withhold" | "drop";

const NEVER = new Set(lists.never);
const SCHEMES = new Set(lists.schemes);
const LINKS = new Set(lists.links);
const SCRIPTS = new Set(lists.scriptSchemes);
const LINK_SCHEMES = new Set(lists.linkSchemes);
/** Relations that make a browser load or connect (`preload`, `preconnect`) are none of these. */
const LINK_RELATIONS = new Set(lists.linkRelations);
const ELEMENTS = new Set(lists.elements.split(" "));
const ATTRIBUTES = new Set(lists.attributes.split(" "));
const SIGNED = new Set(lists.signed);
/** The animation elements of SVG. */
export const SVG_ANIMATION_ELEMENTS: ReadonlySet<string> = new Set(lists.animations);
const ANIMATED_NEVER = new Set(lists.animatedNever);
const ANIMATED_VALUES = new Set(lists.animatedValues);
const PAINTABLE = lists.paintable as Readonly<Record<string, readonly string[]>>;
const MAPPABLE = lists.mappable as Readonly<Record<string, readonly string[]>>;

/** The elements whose content the replay leaves out. */
export const EMPTIED_ELEMENTS: ReadonlySet<string> = new Set(lists.silent);

/**
 * Returns whether a tag is that of a script, in any namespace. A script element is kept without attributes and
 * without text.
 */
export function isScript(tag: string): boolean {
  return /(?:^|\|)script$/i.test(tag);
}

// What browsers skip when they look for a scheme, and a little more.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about.
const INVISIBLE = /[\u0000-\u0020\u007f-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]+/g;

/** Returns the scheme of an address in lower case, as browsers parse it; "" for a relative address. */
export function parseUrlScheme(address: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(address.slice(0, 2048).replace(INVISIBLE, ""))?.[1]?.toLowerCase() ?? "";
}

/** Returns what to do with a recorded attribute. `tag` is written as in the reel. */
export function chooseAttributeTreatment(
  tag: string,
  name: string,
  value: string,
  attributes: Readonly<Record<string, string>>,
): AttributeTreatment {
  const lower = name.toLowerCase();
  const element = tag.toLowerCase();
  if (isScript(element)) return "drop";
  if (lower.startsWith("on") || NEVER.has(lower) || lower.startsWith("data-pagereel")) return "drop";
  if ((lower === "style" || tag.startsWith("svg|")) && loads(value)) return "withhold";
  if (isAnimation(tag)) {
    const target = animated(attributes);
    const harmful = ANIMATED_NEVER.has(target) || target.startsWith("on") || target.endsWith(":href");
    if (ANIMATED_VALUES.has(lower)) {
      if (harmful || value.split(";").some((part) => parseUrlScheme(part) !== "")) return "drop";
      return "paint";
    }
    if (lower === "attributename" && harmful) return "withhold";
  }
  if (lower === "href" || lower.endsWith(":href")) {
    const scheme = parseUrlScheme(value);
    if (SCRIPTS.has(scheme)) return "drop";
    if (scheme && !SCHEMES.has(scheme)) return "withhold";
    if (LINKS.has(tag)) return !scheme || LINK_SCHEMES.has(scheme) ? "paint" : "withhold";
    return tag.startsWith("svg|") && value.trim().startsWith("#") ? "paint" : "withhold";
  }
  if (element === "link" && lower === "rel") {
    return value
      .toLowerCase()
      .trim()
      .split(/\s+/)
      .every((word) => LINK_RELATIONS.has(word))
      ? "paint"
      : "withhold";
  }
  if (PAINTABLE[element]?.includes(lower)) return attributes["http-equiv"] === undefined ? "paint" : "withhold";
  if (element === "object" && lower === "type" && /^image/i.test(value)) return "withhold"; // Without its picture it would be a broken one.
  if (CLOBBERING.test(element) && (lower === "name" || lower === "id") && hides(lower, value)) return "withhold";
  // Names with other signs in them are none of HTML's.
  return ATTRIBUTES.has(lower) || (/[^a-z0-9]/.test(lower) && !SIGNED.has(lower)) ? "paint" : "withhold";
}

/** What a form or the document gives under its name, in place of its own properties. */
const CLOBBERING = /^(?:input|button|select|textarea|output|object|fieldset|img|form|iframe|embed)$/;

function hides(attribute: string, value: string): boolean {
  const { Element, Document } = globalThis;
  return value in (Element?.prototype ?? {}) || (attribute === "name" && value in (Document?.prototype ?? {}));
}

const GENERIC = /^(?:HTML|HTMLUnknown|SVG|MathML|)Element$/;

/**
 * Returns whether an element may be in the shown page: its tag is listed, or this browser gives it no function.
 * `make` creates the element in a document that is never shown.
 */
export function allowsElement(tag: string, make: () => Element): boolean {
  // SVG's filter primitives (`feBlend`) are many, and all of a kind.
  return ELEMENTS.has(tag) || /^svg\|fe[A-Z]\w+$/.test(tag) || GENERIC.test(make().constructor.name);
}

/** Returns whether an attribute makes an element of this tag match `:link`. */
export function isLinkAttribute(tag: string, name: string): boolean {
  return LINKS.has(tag) && (name === "href" || name === "xlink:href");
}

/**
 * Returns whether a value that the builder gave for this attribute may be painted: inline style, or addresses of
 * bytes that the player holds.
 */
export function allowsPaintedValue(tag: string, name: string, filled: string): boolean {
  const lower = name.toLowerCase();
  if (lower === "style" || (tag.startsWith("svg|") && (ATTRIBUTES.has(lower) || lower.includes("-"))))
    return !loads(filled);
  if (!MAPPABLE[tag]?.includes(lower) || tag === "link") return false;
  return (lower === "srcset" ? candidates(filled) : [filled]).every(
    (address) => /^blob:|^#/.test(address) || /^data:(image|audio|video|font)\/|^data:,/i.test(address),
  );
}

/** The addresses in a `srcset`, as browsers cut it; brackets, in which they see no commas, count as an address that there is not. */
function candidates(srcset: string): string[] {
  const found: string[] = [];
  for (let rest = srcset; ; ) {
    rest = rest.replace(/^[ \t\n\f\r,]+/, "");
    const address = /^[^ \t\n\f\r]+/.exec(rest)?.[0];
    if (!address) return found.length ? found : [""];
    rest = rest.slice(address.length);
    found.push(address.replace(/,+$/, ""));
    if (address.endsWith(",")) continue;
    const descriptors = /^[^,]*/.exec(rest)?.[0] ?? "";
    if (descriptors.includes("(")) return [""];
    rest = rest.slice(descriptors.length);
  }
}

/** What may hold an address that leads out of the file, at a glance: most sheets hold none, and are not looked at any closer. */
const SUSPECT = /(?:url|src)\((?![ \t\n\f\r]*["']?(?:#|blob:|data:))|(?:image|-set|cross-fade)\(|\\[-\w\\\s]*\(/i;

/**
 * CSS as browsers cut it: comments, namespaces (which nobody fetches), bare addresses, strings, names with the bracket of a function, brackets. A browser
 * and this must never differ in what is a string: what hides in one for this would be code for the browser.
 */
const TOKENS =
  /\/\*[\s\S]*?(?:\*\/|$)|<!-{2}|@namespace\s+(?:[-\w]+\s+)?url\((["']?)[-\w.:/#]+\1\)|(url\([ \t\n]*)(?!["' \t\n])(?:\\[\s\S]|[^)\\])*|(["'])(?:\\[\da-f]{1,6}\n?|\\[\s\S]|(?!\3)[^\\\n])*\3?|([@#]?(?:[-\w\0\u0080-\uffff]|\\[\da-f]{1,6}[ \t\n]?|\\[^\n])+)(\(?)|[()]/gi;

/** Places in the document, and bytes in memory. */
const HARMLESS = /^(?:#|blob:|data:)/i;

/** Functions in which a bare string is an address, as deep as it may stand. */
const OF_PICTURES = /(?:url|src|image|-set|cross-fade)$/i;

/** What may stand in them. A function that puts something else in its place (`var`, `if`, `attr`, one of the page's own) could bring an address along. */
const IN_PICTURES = /^$|url$|^src$|^type$|image$|-set$|cross-fade$|-gradient$|^calc$|^(?:rgb|hsl)a?$|^color/i;

/** Returns `css` with each address that would request something replaced by an empty one. */
export function removeCssUrls(css: string): string {
  if (!SUSPECT.test(css)) return css;
  const open: string[] = [];
  const inPicture = (): boolean => open.some((name) => OF_PICTURES.test(name));
  return css
    .replace(/\r\n?|\f/g, "\n")
    .replace(TOKENS, (token, _, bare?: string, quote?: string, name?: string, bracket?: string) => {
      const lead = bare ?? quote;
      if (lead) {
        const rest = token.slice(lead.length);
        const fetched = bare || (inPicture() && open.at(-1) !== "type");
        if (bare) open.push(""); // Its bracket is in the token.
        return fetched && !HARMLESS.test(rest) ? `${lead}data:,${rest}` : token;
      }
      if (token === ")") open.pop();
      else if (bracket || token === "(") {
        const stray = inPicture() && !IN_PICTURES.test(name ?? "");
        open.push(name?.toLowerCase() ?? "");
        // A name that is spelled with escapes, or ends as `url` does, wherever a browser cuts it: it becomes one that means nothing.
        if (name && (stray || /\\|.url$/i.test(name))) return `${name}x(`;
      }
      return token;
    });
}

/** Whether a value of CSS names an address other than a place in the document or bytes in memory. */
function loads(value: string): boolean {
  return removeCssUrls(value) !== value;
}

function isAnimation(tag: string): boolean {
  return SVG_ANIMATION_ELEMENTS.has(tag);
}

function animated(attributes: Readonly<Record<string, string>>): string {
  for (const [name, value] of Object.entries(attributes))
    if (name.toLowerCase() === "attributename") return value.trim().toLowerCase();
  return "";
}
