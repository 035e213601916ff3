// The elements that differ, outlined in a page.

import type { Joint } from "./joint.ts";
import type { Side } from "./told.ts";

/** Draws over a page what of it differs by now; what is chosen stands out. Returns how to stop. */
export function outline(joint: Joint, side: Side): () => void {
  const layer = Object.assign(document.createElement("div"), { className: "outlines" });
  layer.setAttribute("aria-hidden", "true");
  joint.hosts[side].append(layer);
  let drawn = "";
  const draw = (): void => {
    const boxes = boxesOf(joint, side);
    const text = JSON.stringify(boxes);
    if (text === drawn) return;
    drawn = text;
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
    );
  };
  const stops = [joint.halves[side].subscribe(draw), joint.subscribe(draw)];
  return () => {
    for (const stop of stops) stop();
    layer.remove();
  };
}

type Box = readonly [place: number, kind: string, x: number, y: number, w: number, h: number];

/** Room around an element, px. */
const AROUND = 3;

function boxesOf(joint: Joint, side: Side): Box[] {
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
