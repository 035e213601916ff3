// What an element's name says of it: a page has few names, and each many times, so what follows from one is found out once.

import { HTML_NAMESPACE, localName, namespaceURI, getRecordedTag } from "../dom.ts";
import { areChildrenUnrecorded } from "../policy.ts";
import type { StartTagStep } from "./start-tags.ts";

/** The properties of all elements with one name: how they are recorded, and what can be in them. */
export interface ElementKind {
  /** The local name, and the tag as the format writes it. */
  readonly name: string;
  readonly tag: string;
  /** A tracker may have to follow it: it has state besides its attributes. */
  readonly followed: boolean;
  /** SVG's: its attributes change without a record. */
  readonly drawn: boolean;
  /** It has no head of its own: a script, or a field, whose value may have to be masked. */
  readonly plain: boolean;
  /** Its children are not recorded. */
  readonly hides: boolean;
  /** It may have a shadow root: <https://dom.spec.whatwg.org/#dom-element-attachshadow>. */
  readonly hosts: boolean;
  readonly template: boolean;
  /** Where its heads begin, and in which round of {@link Heads}. */
  step: StartTagStep | null;
  round: number;
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const FOLLOWED = set(
  "input textarea select dialog img video audio canvas link style source image object embed form fieldset animate animateMotion animateTransform set",
);
const PLAIN = set("script input textarea select");
const HOSTS = set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span");

export class ElementKindTable {
  private readonly html = new Map<string, ElementKind>();
  /** By namespace and local name. */
  private readonly others = new Map<string | null, Map<string, ElementKind>>();

  of(element: Element): ElementKind {
    const name = localName(element);
    const namespace = namespaceURI(element);
    const map = namespace === HTML_NAMESPACE ? this.html : this.within(namespace);
    const known = map.get(name);
    if (known !== undefined) return known;
    const kind = describe(name, getRecordedTag(element, name));
    map.set(name, kind);
    return kind;
  }

  private within(namespace: string | null): Map<string, ElementKind> {
    let map = this.others.get(namespace);
    if (!map) {
      map = new Map();
      this.others.set(namespace, map);
    }
    return map;
  }
}

function describe(name: string, tag: string): ElementKind {
  const custom = name.includes("-");
  return {
    name,
    tag,
    followed: FOLLOWED.has(name) || custom,
    drawn: tag.startsWith("svg|"),
    plain: PLAIN.has(name),
    hides: areChildrenUnrecorded(name),
    hosts: HOSTS.has(name) || custom,
    template: tag === "template",
    step: null,
    round: 0,
  };
}
