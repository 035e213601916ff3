// What the pointer is over, what is pressed, and what the address points to, as the browser says it: `:hover`, `:active`, `:target`. A moment's
// place under the pointer does not tell it: a menu is open because the pointer came through its title.

import { documentElement, matches, shadowRoot } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import type { StatePart } from "./part.ts";

/** The elements that an event went through, the innermost first. */
const pathOf = (event: Event) => event.composedPath().filter((target) => target instanceof Element);

export class PointerTargets implements StatePart {
  private over: Element[] = [];
  private pressed: Element[] = [];
  private held = false;
  private target: Element | null = null;
  /** Whether anything was ever pointed at: before, there is nothing to ask. */
  private met = false;
  private fresh = false;
  private hash = "";
  private said = "";

  constructor(
    private readonly document: Document,
    private readonly window: Window,
    private readonly idOf: (node: Node) => number,
    /** Whether the address came with a text to look for, which no script sees in it. */
    private readonly searched: boolean,
  ) {}

  /** The innermost elements that the pointer is over. */
  get hovered(): Element[] {
    return this.over.slice(0, 3);
  }

  /** The pointer came to another element, or left the document. */
  moved(event: Event): void {
    this.met = true;
    this.over = pathOf(event);
  }

  /** A button or key went down: what it presses is what was under it. */
  down(event: Event): void {
    this.met = true;
    this.pressed = pathOf(event);
    this.held = true;
  }

  /** It was let go of: what it pressed is still pressed until the event has been worked off. */
  up(): void {
    this.held = false;
  }

  /** The address named another place; by now `pushState` may have given it another name, which leaves the target. */
  aimed(): void {
    this.target = this.document.querySelector(":target");
  }

  clear(): void {
    this.said = "";
    this.fresh = documentElement(this.document) !== null;
  }

  collect(ops: Op[]): void {
    const { hash } = this.window.location;
    if (this.fresh) this.look();
    if (!this.met && !hash && !this.target && !this.said && !this.searched) return;
    const active = this.first(this.pressed, ":active");
    if (active === 0 && !this.held) this.pressed = [];
    const key = [this.first(this.over, ":hover"), active, this.aim(hash)] as const;
    if (key.join() === this.said) return;
    this.said = key.join();
    ops.push(["pointed", ...key]);
  }

  /** In a page that was there before the recording, everything is asked for once. */
  private look(): void {
    this.fresh = false;
    const root = documentElement(this.document);
    // Whatever the pointer is over, it is over the root: where it is not, no large page has to be searched.
    const over = root && matches(root, ":hover") ? this.document.querySelectorAll(":hover") : [];
    const last = over[over.length - 1];
    if (last && this.over.length === 0) {
      this.met = true;
      this.over = [last];
    }
    this.aimed();
  }

  private first(path: readonly Element[], pseudo: string): number {
    let element = path.find((item) => matches(item, pseudo));
    // Events tell nothing of what is in a closed root.
    for (let root = element && shadowRoot(element); root; root = element && shadowRoot(element)) {
      const inner = root.querySelectorAll(pseudo);
      if (inner.length === 0) break;
      element = inner[inner.length - 1];
    }
    for (let at: Node | null | undefined = element; at; at = at.parentNode) {
      const id = this.idOf(at);
      if (id !== 0) return id;
    }
    return 0;
  }

  /** The target stays when the address changes by `pushState`, and may come after the address. */
  private aim(hash: string): number {
    if (!this.target || !matches(this.target, ":target")) {
      this.target = null;
      if (this.searched || hash !== this.hash) this.target = this.document.querySelector(":target");
      else if (hash) this.target = this.named(hash);
    }
    this.hash = hash;
    return this.target ? this.idOf(this.target) : 0;
  }

  private named(hash: string): Element | null {
    try {
      const found = this.document.getElementById(decodeURIComponent(hash.slice(1)));
      return found && matches(found, ":target") ? found : null;
    } catch {
      return null;
    }
  }
}
