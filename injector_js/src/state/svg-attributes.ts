// What SVG's own interfaces write (`rect.x.baseVal.value = 5`, `points.appendItem()`, `className.baseVal`): in Chromium the attributes follow, and
// no mutation record tells of it. So the attributes of SVG elements are compared with what was told of them: after somebody acted, now and then,
// before each checkpoint, and often where they were found changed.

import { localName } from "../dom.ts";
import { encodeAttributes } from "../encoding/encode.ts";
import { type Op, setOwnProperty } from "../encoding/ops.ts";
import type { MaskedFields } from "../policy.ts";
import type { ChangedAttributes, StatePart } from "./part.ts";
import { PollThrottle } from "./throttle.ts";

/** Elements that are followed; what happens to others shows at a checkpoint. */
const MOST = 3_000;
/** ms after somebody acted, or after the last change, in which the next one is looked for. */
const AWAKE = 500;

type RecordedAttributes = Record<string, string | null>;

export class SvgAttributes implements StatePart {
  private readonly told = new Map<Element, RecordedAttributes>();
  /** Elements that changed in this way, and when they did last. */
  private readonly hot = new Map<Element, number>();
  private readonly looks: PollThrottle;
  private readonly placed = new Map<Element, string>();
  private awake = 0;
  /** How many times its share of the page's time it waits for: most pages do none of this. */
  private patience = 4;

  constructor(
    private readonly masks: MaskedFields,
    private readonly idOf: (node: Node) => number,
    private readonly now: () => number,
    /** Has changes taken soon. */
    private readonly again: () => void,
  ) {
    this.looks = new PollThrottle(now);
  }

  /** An SVG element is being encoded. */
  draws(element: Element): void {
    if (this.told.size < MOST) this.told.set(element, this.read(element));
  }

  /** What a record named is told already. */
  attributes(element: Element, changes: ChangedAttributes): void {
    const told = this.told.get(element);
    if (told) for (const name in changes) setOwnProperty(told, name, changes[name] as string | null);
  }

  wake(): void {
    this.awake = this.now() + AWAKE;
  }

  clear(): void {
    for (const known of [this.told, this.hot, this.placed]) known.clear();
  }

  /** Whether all should be looked at now. */
  private get due(): boolean {
    return this.told.size > 0 && this.looks.since >= this.patience * this.looks.wait;
  }

  collect(ops: Op[]): void {
    if (this.now() < this.awake && this.due) this.look(ops);
    else for (const element of this.hot.keys()) this.compare(element, ops);
    if (this.hot.size > 0) this.again();
  }

  collectSilent(ops: Op[], all: boolean): void {
    if (all || this.due) this.look(ops);
  }

  private look(ops: Op[]): void {
    const began = this.now();
    for (const element of this.told.keys()) this.compare(element, ops);
    this.looks.took(began);
  }

  /** What scripts move and scale a drawing by stands in no attribute. */
  private place(svg: SVGSVGElement, id: number, ops: Op[]): void {
    const { currentScale: scale, currentTranslate } = svg;
    const { x, y } = currentTranslate;
    const key = `${[x, y, scale]}`;
    if (key === (this.placed.get(svg) ?? "0,0,1")) return;
    this.placed.set(svg, key);
    this.hot.set(svg, this.now());
    ops.push(["drawing", id, { x, y, scale }]);
  }

  private read(element: Element): RecordedAttributes {
    const attributes: RecordedAttributes = encodeAttributes(element, localName(element), this.masks);
    return Object.isFrozen(attributes) ? {} : attributes;
  }

  private compare(element: Element, ops: Op[]): void {
    const id = this.idOf(element);
    const told = this.told.get(element);
    if (id === 0 || !told) {
      for (const known of [this.told, this.hot, this.placed]) known.delete(element);
      return;
    }
    const now = this.read(element);
    const changes: RecordedAttributes = {};
    for (const name in now)
      if (now[name] !== told[name]) setOwnProperty<string | null>(changes, name, now[name] as string);
    for (const name in told)
      if (told[name] !== null && now[name] === undefined) setOwnProperty<string | null>(changes, name, null);
    if (element instanceof SVGSVGElement) this.place(element, id, ops);
    const at = this.now();
    if (Object.keys(changes).length > 0) {
      ops.push(["attr", id, changes]);
      this.told.set(element, now);
      this.hot.set(element, at);
      this.patience = 1;
    } else if (at - (this.hot.get(element) ?? at) > AWAKE) this.hot.delete(element);
  }
}
