// The elements that differ, outlined in a page.

import type { JointPlayer } from "./joint-player.ts";
import type { RunSide } from "./data.ts";

/**
 * Draws outlines around the elements of one run's page that differ at the current time, and highlights the selected
 * difference. Returns a function that removes the outlines.
 */
export function outlineDifferences(joint: JointPlayer, side: RunSide): () => void {
  const layer = Object.assign(document.createElement("div"), { className: "outlines" });
  layer.setAttribute("aria-hidden", "true");
  joint.hosts[side].append(layer);
  let drawn = "";
  const draw = (): void => {
    const scale = layer.getBoundingClientRect().width / (layer.offsetWidth || 1) || 1;
    const beyond = beyondOf(joint, side, layer, MARK / scale);
    const boxes = boxesOf(joint, side).filter(([place]) => place !== beyond?.place);
    const text = JSON.stringify([boxes, beyond, scale]);
    if (text === drawn) return;
    drawn = text;
    layer.style.setProperty("--grow", `${Math.max(1, 1 / scale)}`);
    layer.replaceChildren(
      ...boxes.map(([place, kind, x, y, w, h]) => {
        const box = document.createElement("div");
        box.className = `outlined ${kind}`;
        Object.assign(box.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
        const number = document.createElement("b");
        number.textContent = `${place + 1}`;
        box.append(number);
        return box;
      }),
      ...(beyond ? [pointer(beyond)] : []),
    );
  };
  window.addEventListener("resize", draw);
  const stops = [
    joint.halves[side].subscribe(draw),
    joint.subscribe(draw),
    () => window.removeEventListener("resize", draw),
  ];
  return () => {
    for (const stop of stops) stop();
    layer.remove();
  };
}

type Box = readonly [place: number, kind: string, x: number, y: number, w: number, h: number];

/** Room around an element, px. */
const AROUND = 3;

function boxesOf(joint: JointPlayer, side: RunSide): Box[] {
  const boxes: Box[] = [];
  joint.told.differences.forEach((difference, place) => {
    const node = difference.nodes[side];
    const chosen = place === joint.chosen;
    if (!node || !(chosen || difference.u <= joint.time)) return;
    const box = joint.halves[side].stage.find(node[0], node[1])?.box;
    if (!box?.width || !box.height) return;
    const [x, y] = [Math.round(box.x - AROUND), Math.round(box.y - AROUND)];
    boxes.push([
      place,
      chosen ? "chosen" : "",
      x,
      y,
      Math.round(box.width) + 2 * AROUND,
      Math.round(box.height) + 2 * AROUND,
    ]);
  });
  return boxes;
}

/** Room for the mark that points to what is out of sight, px of the screen. */
const MARK = 28;

type Beyond = { place: number; arrow: string; x: number; y: number };

/** Where the chosen element is when nothing of it is in sight: below the fold, or scrolled away in a box or a frame of the page. */
function beyondOf(joint: JointPlayer, side: RunSide, layer: HTMLElement, room: number): Beyond | undefined {
  const place = joint.chosen;
  const node = place === null ? undefined : joint.told.differences[place]?.nodes[side];
  const found = node && joint.halves[side].stage.find(node[0], node[1]);
  if (place === null || !found?.box.width || !found.box.height) return undefined;
  const { box } = found;
  const seen = seenOf(found.element, box, layer);
  const across = box.right <= seen.left ? "←" : box.left >= seen.right ? "→" : "";
  const down = box.bottom <= seen.top ? "↑" : box.top >= seen.bottom ? "↓" : "";
  if (!across && !down) return undefined;
  return {
    place,
    arrow: down || across,
    // At the right: what is being done stands in the middle of the lower edge.
    x: Math.round(within(down ? seen.right : (box.left + box.right) / 2, seen.left + room, seen.right - room)),
    y: Math.round(within((box.top + box.bottom) / 2, seen.top + room, seen.bottom - room)),
  };
}

/** The part of the page in which an element can be seen. `box` is the element's place in the page. */
function seenOf(element: Element, box: DOMRect, layer: HTMLElement): Sides {
  const own = element.getBoundingClientRect();
  const [x, y] = [box.x - own.x, box.y - own.y];
  const seen: Sides = { left: 0, top: 0, right: layer.offsetWidth, bottom: layer.offsetHeight };
  const clip = (left: number, top: number, width: number, height: number): void => {
    seen.left = Math.max(seen.left, left);
    seen.top = Math.max(seen.top, top);
    seen.right = Math.min(seen.right, left + width);
    seen.bottom = Math.min(seen.bottom, top + height);
  };
  const root = element.ownerDocument.documentElement;
  const view = element.ownerDocument.defaultView;
  if (view) clip(x, y, view.innerWidth, view.innerHeight);
  let inner = element;
  for (let around = above(element); around && around !== root; around = above(around)) {
    if (getComputedStyle(inner).position === "fixed") break;
    inner = around;
    if (around === element.ownerDocument.body || getComputedStyle(around).overflow === "visible") continue;
    const rect = around.getBoundingClientRect();
    clip(rect.x + x, rect.y + y, rect.width, rect.height);
  }
  return seen;
}

type Sides = { left: number; top: number; right: number; bottom: number };

function above(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? ("host" in root ? (root as ShadowRoot).host : null);
}

function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

function pointer({ place, arrow, x, y }: Beyond): HTMLElement {
  const mark = document.createElement("div");
  mark.className = "beyond";
  mark.textContent = `${arrow} ${place + 1}`;
  Object.assign(mark.style, { left: `${x}px`, top: `${y}px` });
  return mark;
}
