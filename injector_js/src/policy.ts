// What never leaves the page: scripts' text, handlers, script URLs, and the values of fields that hold secrets. The first of three walls.

import { closest, getAttribute, isHtmlElementNamed, localName, matches } from "./dom.ts";

// The same as in player_build/allow.json, which the other two walls read: tests/injector/test_policy.py holds them together.
/** Attributes that are not recorded on any element. */
const NEVER = new Set(["srcdoc", "nonce", "integrity"]);

/** Attributes whose value is a URL that a browser may follow. */
const URLS = new Set([
  "action",
  "archive",
  "attributionsrc",
  "background",
  "by",
  "cite",
  "classid",
  "codebase",
  "data",
  "dynsrc",
  "formaction",
  "from",
  "href",
  "icon",
  "imagesrcset",
  "longdesc",
  "lowsrc",
  "manifest",
  "ping",
  "poster",
  "profile",
  "src",
  "srcset",
  "to",
  "usemap",
  "values",
  "xlink:href",
  "xml:base",
]);

const SCRIPTS = new Set(["javascript", "vbscript", "livescript", "jscript", "mocha"]);

/** Longer than any of them. */
const LONG = 12;

// A browser drops tab and line ends inside a URL, and blanks and control characters before it.
function isScriptUrl(value: string): boolean {
  let scheme = "";
  for (let i = 0; i < value.length && scheme.length < LONG; i++) {
    if (value[i] === ":") return SCRIPTS.has(scheme.toLowerCase());
    if (value.charCodeAt(i) > 32) scheme += value[i];
  }
  return false;
}

const KEPT = 0;
const DROPPED = 1;
const URL_VALUE = 2;
/** What was found out about names before: a page has few, and each many times. */
const kinds = new Map<string, number>();

function kindOf(name: string): number {
  const lower = name.toLowerCase();
  if (lower.startsWith("on") || NEVER.has(lower)) return DROPPED;
  return URLS.has(lower) || lower.endsWith(":href") ? URL_VALUE : KEPT;
}

/** Returns whether an attribute is recorded. Event handlers (`on…`) are not, nor attributes that would run or restrict scripts. */
export function isRecordedAttribute(name: string, value: string): boolean {
  let kind = kinds.get(name);
  if (kind === undefined) {
    kind = kindOf(name);
    if (kinds.size < 1000) kinds.set(name, kind);
  }
  return kind === KEPT || (kind === URL_VALUE && !isScriptUrl(value));
}

/**
 * Returns the value that is recorded in place of an attribute's own: `#` for the script URL of a link, so that it stays a link, and an
 * empty picture for an image; null if nothing is recorded.
 */
export function findAttributeReplacement(element: Element, name: string): string | null {
  if (name === "src" && isHtmlElementNamed(element, "img")) return "data:,";
  if (name !== "href" && name !== "xlink:href") return null;
  const local = localName(element);
  const link = local === "a" || (local === "area" && isHtmlElementNamed(element, "area"));
  return link ? "#" : null;
}

let noscript = "noscript";

/** Sets whether the browser runs scripts. If it does not, the content of `<noscript>` is shown, and therefore recorded. */
export function setScriptingEnabled(may: boolean): void {
  noscript = may ? "noscript" : "";
}

/** Returns whether the children of elements with this name are not recorded: those of `script`, and of `noscript` if scripts run. */
export function areChildrenUnrecorded(name: string): boolean {
  return name === "script" || name === noscript;
}

/** The reason why a field's value is masked. */
export type MaskReason = "password" | "card" | "otp" | "selector";

const CARD = /\b(?:cc|card)[-_ ]?(?:num|no\b|nr\b|csc|cvc|cvv|exp)|card.?number|\bcvc|\bcvv|security.?code/i;
const OTP = /\botp\b|one.?time|\bpass.?code|verification.?code|\btotp\b|\b2fa\b|\bmfa\b/i;

/**
 * Decides which form fields hold values that must not be read. A field that was a password field once stays masked, because "show password"
 * only changes its type.
 */
export class MaskedFields {
  private readonly sticky = new WeakMap<Element, MaskReason>();
  private readonly selector: string;

  constructor(selectors: readonly string[]) {
    const valid: string[] = [];
    for (const selector of selectors) {
      try {
        document.createDocumentFragment().querySelector(selector);
        valid.push(selector);
      } catch {
        // The recorder checks the user's selectors; one that this page's engine does not know masks nothing here.
      }
    }
    this.selector = valid.join(",");
  }

  /** Whether the user named anything to be masked. */
  get any(): boolean {
    return this.selector !== "";
  }

  /** Why the value of a control is masked, or null. */
  reason(control: Element): MaskReason | null {
    const known = this.sticky.get(control);
    if (known) return known;
    const reason = this.find(control);
    if (reason) this.sticky.set(control, reason);
    return reason;
  }

  /** Whether text below this node is masked by the user's selectors. */
  coversText(node: Node): boolean {
    if (this.selector === "") return false;
    const element = node instanceof Element ? node : node.parentElement;
    if (!element) return false;
    if (closest(element, this.selector)) return true;
    const root = element.getRootNode();
    return root instanceof ShadowRoot && this.coversText(root.host);
  }

  private find(control: Element): MaskReason | null {
    if (isHtmlElementNamed(control, "input")) {
      const type = getAttribute(control, "type")?.toLowerCase() ?? "text";
      if (type === "password") return "password";
      const tokens = (getAttribute(control, "autocomplete") ?? "").toLowerCase();
      if (tokens.includes("-password")) return "password";
      if (tokens.includes("one-time-code")) return "otp";
      if (/\bcc-(?:number|csc|exp)/.test(tokens)) return "card";
      const names = `${getAttribute(control, "name") ?? ""} ${getAttribute(control, "id") ?? ""}`;
      if (CARD.test(names)) return "card";
      if (OTP.test(names)) return "otp";
    }
    if (this.selector !== "" && (matches(control, this.selector) || this.coversText(control))) return "selector";
    return null;
  }
}
