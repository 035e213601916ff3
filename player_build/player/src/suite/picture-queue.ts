// The small pictures in the list: each is drawn once, by a player that shows the moment and then goes.

import { freeLongTexts } from "../decode/pieces.ts";
import { loadScript } from "../script-loading.ts";
import { waitUntilIdle } from "./search.ts";
import type { RunPlayer } from "./suite.ts";

interface Wanted {
  readonly element: HTMLElement;
  readonly n: number;
  readonly t: number;
}

/** Most pictures that are kept. */
const KEPT = 200;
/** Most of those that are live pages, in browsers that cannot draw markup. */
const LIVE = 12;

/** Draws the failure pictures that are in view one after the other, and keeps the latest ones. */
export class FailurePictureQueue {
  /** Those in sight that are not drawn. */
  readonly #wanted = new Map<HTMLElement, Wanted>();
  /** Those that are drawn, each with the address of its picture, or the player of its page; the one that was longest out of sight first. */
  readonly #drawn = new Map<HTMLElement, string | RunPlayer>();
  #most = KEPT;
  #busy = false;

  /** `first`: what is done before the first picture, because each takes long. */
  constructor(
    private readonly open: (n: number, host: HTMLElement) => Promise<RunPlayer>,
    private readonly first: () => Promise<void>,
  ) {}

  want(wanted: Wanted, inSight: boolean): void {
    const { element } = wanted;
    const drawn = this.#drawn.get(element);
    if (!inSight) {
      this.#wanted.delete(element);
    } else if (drawn) {
      this.#drawn.delete(element);
      this.#drawn.set(element, drawn);
    } else {
      this.#wanted.set(element, wanted);
      void this.#work();
    }
  }

  drop(element: HTMLElement): void {
    this.#wanted.delete(element);
    const drawn = this.#drawn.get(element);
    if (typeof drawn === "string") URL.revokeObjectURL(drawn);
    else drawn?.resources.release();
    this.#drawn.delete(element);
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    await this.first().catch(() => {});
    for (let next = this.#next(); next; next = this.#next()) {
      this.#wanted.delete(next.element);
      await waitUntilIdle(); // Between two pictures the list can be scrolled and searched.
      await this.#draw(next).catch(() => next?.element.replaceChildren());
    }
    this.#busy = false;
    freeLongTexts();
  }

  #next(): Wanted | undefined {
    return this.#wanted.values().next().value;
  }

  async #draw({ element, n, t }: Wanted): Promise<void> {
    const host = Object.assign(document.createElement("div"), { className: "pages" });
    element.replaceChildren(host);
    const player = await this.open(n, host);
    await player.read(t);
    if (player.pageless) return;
    await player.seek(t);
    const { w, h } = player.stage.log?.sizeAt(t) ?? { w: 1280, h: 720 };
    const width = element.clientWidth;
    Object.assign(host.style, { width: `${w}px`, height: `${h}px`, transform: `scale(${width / w})` });
    this.#drawn.set(element, player);
    try {
      const picture = new Image();
      const drawing = (await loadScript("export").exportPageAsPicture?.(player)) as Blob;
      picture.src = URL.createObjectURL(await scaled(drawing, width * devicePixelRatio, h / w));
      await picture.decode();
      if (!this.#drawn.has(element)) return; // It left meanwhile.
      element.replaceChildren(picture);
      this.drop(element);
      this.#drawn.set(element, picture.src);
    } catch {
      this.#most = LIVE; // The page itself stays.
    }
    element.classList.add("drawn");
    for (const old of this.#drawn.keys()) {
      if (this.#drawn.size <= this.#most) break;
      this.drop(old);
      old.replaceChildren();
      old.classList.remove("drawn");
    }
  }
}

/** A picture, so many pixels wide. Not drawn so small at once: Firefox would lay the page out as in a narrow window. */
async function scaled(drawing: Blob, width: number, ratio: number): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = canvas.width * ratio;
  const bitmap = await createImageBitmap(drawing, {
    resizeWidth: canvas.width,
    resizeHeight: canvas.height,
    resizeQuality: "high",
  });
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject())));
}
