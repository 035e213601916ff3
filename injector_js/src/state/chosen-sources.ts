// Which resource an image or media element really shows: the choice of `srcset`, `<picture>` and `<source>`, and the bytes of `blob:`
// URLs, which exist in this page only and only for a while.

import { getAttribute, hasAttribute, isHtmlElementNamed, localName } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import type { ChangedAttributes, StatePart } from "./part.ts";

const BLOB_LIMIT = 8_000_000;
/** Pixels. */
const DRAW_LIMIT = 16_000_000;

export interface BlobBytes {
  url: string;
  mime: string;
  base64: string;
}

/** Returns the bytes of a blob as base64, by the browser's own encoder. */
export function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = reader.result as string;
      resolve(url.slice(url.indexOf(",") + 1));
    };
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

export class ChosenSources implements StatePart {
  private readonly dirty = new Map<number, HTMLImageElement | HTMLMediaElement>();
  private readonly told = new Map<number, string>();
  private readonly blobs = new Set<string>();
  /** Elements that have just loaded: their blob: URL is still good, whatever the page does to it next. */
  private readonly arrived = new Set<number>();
  /** Images that could not be loaded, or were not allowed to: that another load got something for their address changes nothing for them. */
  private readonly broken = new WeakSet<Element>();

  constructor(
    private readonly idOf: (node: Node) => number,
    private readonly sendBlob: (bytes: BlobBytes) => void,
    private readonly failed: (url: string, reason: string) => void,
    /** Asks for the bytes of a blob: URL from whoever saw the page itself load it; null where nobody does. */
    private readonly wanted: ((url: string, medium: boolean) => void) | null,
  ) {}

  meet(element: Element, id: number): void {
    const name = localName(element);
    if ((name === "img" || name === "video" || name === "audio") && isHtmlElementNamed(element, name)) {
      this.dirty.set(id, element as HTMLImageElement);
    } else if (name === "link" || name === "source" || name === "input" || name === "image" || name === "object") {
      for (const name of ["href", "src", "data"]) this.named(element, name);
    }
    if (name === "video") this.named(element, "poster");
  }

  attributes(element: Element, changes: ChangedAttributes): void {
    if ("src" in changes || "srcset" in changes || "poster" in changes) this.loaded(element);
    if ("href" in changes) this.named(element, "href");
  }

  /** It has loaded, or begins to; or it is `broken`. */
  loaded(element: Element, broken = false): void {
    if (broken) this.broken.add(element);
    else this.broken.delete(element);
    const id = this.idOf(element);
    if (id === 0) return;
    this.arrived.add(id);
    this.meet(element, id);
    // Now, and not when changes are taken: many pages revoke the URL in their own listener.
    const url = this.dirty.get(id)?.currentSrc;
    if (url?.startsWith("blob:")) this.keep(url, !isHtmlElementNamed(element, "img"));
  }

  forget(id: number): void {
    this.dirty.delete(id);
    this.told.delete(id);
  }

  clear(): void {
    this.dirty.clear();
    this.told.clear();
    this.arrived.clear();
  }

  collect(ops: Op[]): void {
    if (this.dirty.size === 0) return;
    for (const [id, element] of this.dirty) {
      const broken = this.broken.has(element) && isHtmlElementNamed(element, "img");
      const url = broken ? "" : element.currentSrc;
      const before = this.told.get(id);
      if ((url === "" && !broken) || url === before) continue;
      this.told.set(id, url);
      if (url.startsWith("blob:")) {
        const old =
          isHtmlElementNamed(element, "img") && (element as HTMLImageElement).complete && !this.arrived.has(id);
        if (old) this.draw(element as HTMLImageElement, url);
        else this.keep(url, !isHtmlElementNamed(element, "img"));
      }
      const chosen =
        broken ||
        before === "" ||
        hasAttribute(element, "srcset") ||
        !hasAttribute(element, "src") ||
        isHtmlElementNamed(element.parentElement ?? element, "picture");
      if (chosen && (before === "" || !url.startsWith("data:"))) ops.push(["src", id, url]);
    }
    this.dirty.clear();
    this.arrived.clear();
  }

  /** An image that was there before us: asking for a URL that is revoked would show in the page's console, its pixels are at hand. */
  private draw(image: HTMLImageElement, url: string): void {
    const { naturalWidth: width, naturalHeight: height } = image;
    if (this.blobs.has(url) || width * height === 0 || width * height > DRAW_LIMIT) return;
    this.blobs.add(url);
    createImageBitmap(image)
      .then(async (bitmap) => {
        const sheet = new OffscreenCanvas(width, height);
        sheet.getContext("2d")?.drawImage(bitmap, 0, 0);
        bitmap.close();
        const blob = await sheet.convertToBlob({ type: "image/webp", quality: 1 });
        this.sendBlob({ url, mime: blob.type, base64: await toBase64(blob) });
      })
      .catch(() => this.failed(url, "gone"));
  }

  /**
   * Sees to it that the bytes of a blob: URL are kept, once. It may be revoked at any time. That of a `medium` may stand for no bytes at all, but
   * for a film that a script puts together.
   */
  keep(url: string, medium = false): void {
    if (this.blobs.has(url)) return;
    this.blobs.add(url);
    if (this.wanted) this.wanted(url, medium);
    else this.read(url);
  }

  /** Reads the bytes here, which is a request of its own: it shows in the page's network log, and its failure on the console. */
  read(url: string): void {
    fetch(url)
      .then((response) => response.blob())
      .then(async (blob) => {
        if (blob.size > BLOB_LIMIT) this.failed(url, "cap");
        else this.sendBlob({ url, mime: blob.type, base64: await toBase64(blob) });
      })
      .catch(() => this.failed(url, "gone"));
  }

  /** blob: URLs in attributes that load: style sheet links, posters, inputs. */
  private named(element: Element, name: string): void {
    const value = getAttribute(element, name);
    if (value?.startsWith("blob:") && localName(element) !== "a") this.keep(value);
  }
}
