// What the window tells of the document: its address, the size of the viewport, and what media queries say of the person and the device.

import { ANY_MEDIA_QUERY, RECORDED_MEDIA_QUERIES } from "../config.ts";
import { compatMode, getLayoutViewportSize, referrer, scrollingElement, title } from "../dom.ts";
import type { TransactionStream } from "../stream.ts";
import type { StatePart } from "./part.ts";

export class WindowState implements StatePart {
  private url: string;
  private dpr: number;
  private resized = false;

  constructor(
    private readonly document: Document,
    private readonly window: Window,
    private readonly stream: TransactionStream,
    private readonly now: () => number,
  ) {
    this.url = window.location.href;
    this.dpr = window.devicePixelRatio;
  }

  /** An event says that the size or a preference is another. */
  changed(): void {
    this.resized = true;
  }

  /** Tells of the document, before anything else. */
  begin(): void {
    const { window, document } = this;
    this.stream.push("document", {
      url: this.url,
      mode: compatMode(document),
      viewport: this.viewport(),
      ...this.preferences(),
      top: window.top === window,
      title: title(document),
      referrer: referrer(document),
    });
  }

  /** These are messages of their own, which come before the ops. */
  collect(): void {
    const url = this.window.location.href;
    if (url !== this.url) {
      this.url = url;
      this.stream.emit("location", { url });
    }
    // Reading the viewport's size lays the page out; only an event or a new device scale is a reason to.
    if (this.resized || this.window.devicePixelRatio !== this.dpr) {
      this.resized = false;
      this.dpr = this.window.devicePixelRatio;
      this.stream.emit("viewport", { ...this.viewport(), ...this.preferences() });
    }
  }

  /** For how many ms the document has been arriving, as far as the browser tells; 0 while nothing of it was painted. */
  age(): number {
    const { performance } = this.window;
    if (performance.getEntriesByType("paint").length === 0) return 0;
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return Math.max(1, Math.round(this.now() - (navigation?.responseStart ?? 0)));
  }

  private preferences(): { scheme: string; motion: string; media: readonly string[] } {
    const holds = (query: string) => this.window.matchMedia(query).matches;
    const media = holds(ANY_MEDIA_QUERY) ? RECORDED_MEDIA_QUERIES.filter(holds) : [];
    if (media.includes("(forced-colors: active)"))
      this.stream.unsupportedOnce("forced colours", "the replay has Chromium's");
    return {
      scheme: holds("(prefers-color-scheme: dark)") ? "dark" : "light",
      motion: holds("(prefers-reduced-motion: reduce)") ? "reduce" : "no-preference",
      media,
    };
  }

  private viewport(): { w: number; h: number; dpr: number } {
    const { devicePixelRatio, visualViewport } = this.window;
    const [w, h] = getLayoutViewportSize(this.window);
    const all = scrollingElement(this.document)?.clientWidth;
    if (visualViewport && all && Math.abs(visualViewport.width - all) > 1)
      this.stream.unsupportedOnce("zoom", "the replay shows the page as wide as the screen");
    return { w, h, dpr: Math.round(devicePixelRatio * 100) / 100 };
  }
}
