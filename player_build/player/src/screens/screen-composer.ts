// Puts a screen together: it begins as an earlier one, and parts of sheets are painted over it (docs/format.md, "Screens").

import type { PlayerEvent } from "../decode/events.ts";

/** Larger pictures are not painted, nor screens that begin as too many others: `reel/screens/screen_check.py` has the same. */
const MOST_PIXELS = 50_000_000;
const CHAIN = 64;
const KEPT = 8;
const SHEETS = 64;

export type ScreenCanvas = HTMLCanvasElement;
type Part = readonly [x: number, y: number, w: number, h: number, sheet: number, sx: number, sy: number];

/**
 * Returns the id of the screen event that holds the picture of this one: its own id, or that of an earlier, equal
 * screen.
 */
export function getScreenPictureId(event: PlayerEvent): number {
  return Number(parts(event).length ? event.id : (event.base ?? event.id));
}

/** Composes the picture of a screen from the earlier screen's picture and the parts that changed. */
export class ScreenComposer {
  readonly #events = new Map<number, PlayerEvent>();
  readonly #canvases = new Map<number, ScreenCanvas>();
  readonly #sheets = new Map<string, Promise<CanvasImageSource | undefined>>();

  constructor(
    events: readonly PlayerEvent[],
    private readonly picture: (placeholder: string) => Promise<CanvasImageSource | undefined>,
    private readonly make: (w: number, h: number) => ScreenCanvas = canvas,
  ) {
    for (const event of events) this.#events.set(Number(event.id), event);
  }

  /** What a screen showed; undefined where nothing is known of it. Not to be painted on. */
  async of(id: number): Promise<ScreenCanvas | undefined> {
    const chain: PlayerEvent[] = [];
    let at: number | undefined = id;
    while (at !== undefined && !this.#canvases.has(at)) {
      const event: PlayerEvent | undefined = this.#events.get(at);
      if (!event || chain.length > CHAIN || Number(event.w) * Number(event.h) > MOST_PIXELS) return undefined;
      chain.push(event);
      const below: unknown = event.base;
      at = typeof below === "number" && below < at ? below : undefined;
    }
    const last = chain.at(-1);
    if (at === undefined && last && !parts(last).length) return undefined;
    let shown = at === undefined ? undefined : this.#canvases.get(at);
    for (const event of chain.reverse()) shown = await this.#painted(event, shown);
    if (shown) {
      this.#canvases.delete(id);
      this.#canvases.set(id, shown);
      for (const old of this.#canvases.keys()) {
        if (this.#canvases.size <= KEPT) break;
        this.#canvases.delete(old);
      }
    }
    return shown;
  }

  async #painted(event: PlayerEvent, below: ScreenCanvas | undefined): Promise<ScreenCanvas> {
    const painted = parts(event);
    if (!painted.length && below) return below;
    const made = this.make(Number(event.w), Number(event.h));
    const pen = made.getContext("2d");
    if (below) pen?.drawImage(below, 0, 0);
    const named = (event.sheets as string[] | undefined) ?? [];
    const used = await Promise.all(named.map((sheet) => this.#sheet(sheet)));
    for (const [x, y, w, h, sheet, sx, sy] of painted) {
      const source = used[sheet];
      if (source) pen?.drawImage(source, sx, sy, w, h, x, y, w, h);
    }
    return made;
  }

  #sheet(placeholder: string): Promise<CanvasImageSource | undefined> {
    let sheet = this.#sheets.get(placeholder);
    if (!sheet) {
      sheet = this.picture(placeholder);
      this.#sheets.set(placeholder, sheet);
      for (const old of this.#sheets.keys()) {
        if (this.#sheets.size <= SHEETS) break;
        this.#sheets.delete(old);
      }
    }
    return sheet;
  }
}

function parts(event: PlayerEvent): readonly Part[] {
  return (event.parts as Part[] | undefined) ?? [];
}

function canvas(w: number, h: number): ScreenCanvas {
  const made = document.createElement("canvas");
  made.width = w;
  made.height = h;
  return made;
}
