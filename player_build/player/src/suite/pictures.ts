// The small pictures in the list: drawn one after the other, and only so many kept, for each is a page.

import type { Player } from "../player.ts";

interface Wanted {
  readonly element: HTMLElement;
  readonly n: number;
  readonly t: number;
}

/** Most pictures that are kept. */
const KEPT = 12;

export class Pictures {
  /** Those in sight that are not drawn. */
  readonly #wanted = new Map<HTMLElement, Wanted>();
  /** Those that are drawn, the one that was longest out of sight first. */
  readonly #drawn = new Set<HTMLElement>();
  #busy = false;

  constructor(private readonly player: (n: number, host: HTMLElement) => Promise<Player>) {}

  want(wanted: Wanted, inSight: boolean): void {
    const { element } = wanted;
    if (!inSight) {
      this.#wanted.delete(element);
    } else if (this.#drawn.delete(element)) {
      this.#drawn.add(element);
    } else {
      this.#wanted.set(element, wanted);
      void this.#work();
    }
  }

  drop(element: HTMLElement): void {
    this.#wanted.delete(element);
    this.#drawn.delete(element);
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let next = this.#next(); next; next = this.#next()) {
      this.#wanted.delete(next.element);
      await new Promise((resolve) => setTimeout(resolve)); // Between two pictures the list can be scrolled.
      await this.#draw(next).catch(() => next?.element.replaceChildren());
    }
    this.#busy = false;
  }

  #next(): Wanted | undefined {
    return this.#wanted.values().next().value;
  }

  async #draw({ element, n, t }: Wanted): Promise<void> {
    const host = Object.assign(document.createElement("div"), { className: "pages" });
    element.replaceChildren(host);
    const player = await this.player(n, host);
    await player.read(t);
    if (player.pageless) return;
    await player.seek(t);
    const { w, h } = player.stage.log?.sizeAt(t) ?? { w: 1280, h: 720 };
    const scale = element.clientWidth / w;
    Object.assign(host.style, { width: `${w}px`, height: `${h}px`, transform: `scale(${scale})` });
    element.classList.add("drawn");
    this.#drawn.add(element);
    for (const old of this.#drawn) {
      if (this.#drawn.size <= KEPT) break;
      this.#drawn.delete(old);
      old.replaceChildren();
      old.classList.remove("drawn");
    }
  }
}
