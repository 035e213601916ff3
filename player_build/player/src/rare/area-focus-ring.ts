// The ring around the area of an image that has the focus, as Chromium draws it: on the image, and by the style of an element without a box.

import { trieGet } from "../state/trie.ts";
import type { PlacedDocument } from "../paint/stage.ts";

const SVG = "http://www.w3.org/2000/svg";
/** px of the path that a corner takes. */
const ROUND = 3;
const SIDES = ["top", "right", "bottom", "left"];

/** Draws the focus ring around the focused `<area>` of an image map. */
export class AreaFocusRing {
  readonly #drawing = document.createElementNS(SVG, "svg");

  constructor() {
    this.#drawing.setAttribute("class", "area-ring");
    this.#drawing.append(document.createElementNS(SVG, "path"));
  }

  clear(): void {
    this.#drawing.remove();
  }

  paint(host: HTMLElement, documents: Iterable<PlacedDocument>): void {
    this.clear();
    for (const { view, x, y } of documents) {
      const area = view.node(view.current.focus) as Element | undefined;
      if (area?.localName !== "area") continue;
      const recorded = (element: Element | null): Readonly<Record<string, string>> =>
        (element && trieGet(view.current.nodes, view.idOf(element) ?? 0)?.attributes) || {};
      const { name, id } = recorded(area.closest("map"));
      const { shape = "rect", coords = "" } = recorded(area);
      for (const image of view.pictures()) {
        const used = /^[^#]*#(.+)/.exec(recorded(image).usemap ?? "")?.[1];
        if (used === undefined || (used !== name && used !== id)) continue;
        this.#show(host, area, image, x, y, (w, h) => outline(shape.toLowerCase(), numbers(coords), w, h));
        return;
      }
    }
  }

  #show(
    host: HTMLElement,
    area: Element,
    image: Element,
    x: number,
    y: number,
    path: (w: number, h: number) => string,
  ): void {
    const { outlineStyle, outlineColor } = getComputedStyle(area);
    if (outlineStyle !== "auto") return; // No other is drawn, and its width and offset do not count.
    const box = image.getBoundingClientRect();
    const own = getComputedStyle(image);
    const side = (name: string): number =>
      Number.parseFloat(own.getPropertyValue(`padding-${name}`)) +
      Number.parseFloat(own.getPropertyValue(`border-${name}-width`));
    this.#drawing.style.cssText = `left:${box.left + x}px;top:${box.top + y}px;width:${box.width}px;height:${box.height}px;clip-path:inset(${SIDES.map((name) => `${side(name)}px`).join(" ")})`;
    const ring = this.#drawing.firstChild as SVGPathElement;
    ring.setAttribute("d", path(box.width, box.height));
    ring.style.stroke = outlineColor;
    host.append(this.#drawing);
  }
}

/** The numbers in a list of coordinates, as HTML reads them. */
function numbers(coords: string): number[] {
  return (coords.slice(0, 20_000).match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
}

/** The path around an area, in px of its image's border box; "" where its coordinates make none. */
function outline(shape: string, at: readonly number[], w: number, h: number): string {
  const [a = 0, b = 0, c = 0, d = 0] = at;
  if (shape === "default") return polygon([0, 0, w, 0, w, h, 0, h]);
  if (/^circ/.test(shape)) return c > 0 ? `M${a - c} ${b}a${c} ${c} 0 1 0 ${2 * c} 0 ${c} ${c} 0 1 0 ${-2 * c} 0z` : "";
  if (/^poly/.test(shape)) return at.length < 6 ? "" : polygon(at);
  return at.length < 4 ? "" : polygon([a, b, c, b, c, d, a, d]);
}

/** A closed path with rounded corners. */
function polygon(at: readonly number[]): string {
  const points = Array.from({ length: at.length >> 1 }, (_, i) => [at[2 * i], at[2 * i + 1]] as [number, number]);
  const towards = ([ax, ay]: [number, number], [bx, by]: [number, number]): string => {
    const length = Math.hypot(bx - ax, by - ay);
    const part = length > 2 * ROUND ? ROUND / length : 0.5;
    return `${ax + (bx - ax) * part} ${ay + (by - ay) * part}`;
  };
  const corners = points.map((point, i) => {
    const before = points.at(i - 1) as [number, number];
    const after = points[(i + 1) % points.length] as [number, number];
    return `${i ? "L" : "M"}${towards(point, before)}Q${point.join(" ")} ${towards(point, after)}`;
  });
  return `${corners.join("")}z`;
}
