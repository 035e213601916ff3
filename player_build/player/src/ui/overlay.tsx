// What was done, over the page: the action's text, its pointer and its element.

import { getActionTitle } from "../history/repeated-calls.ts";
import { findLastItemUntil } from "../history/time-search.ts";
import type { Player } from "../player.ts";
import { loadScript } from "../script-loading.ts";
import type { UiState } from "./state.ts";
import { formatDuration } from "./format.ts";
import { useUi, useUiValue } from "./hooks.ts";

/** How long a click shows, ms on the recording's clock. */
const RIPPLE = 500;
/** How long the trail of the pointer is, ms. */
const TRAIL = 700;
/** How long a key shows, ms. */
const KEYS = 900;
/** How long it is said what an action did and what was skipped, ms. */
const SAID = 900;

type Box = readonly [x: number, y: number, w: number, h: number];

interface Seen {
  readonly x: number;
  readonly y: number;
  readonly trail: string;
  readonly click: readonly [x: number, y: number, age: number] | null;
  readonly keys: string;
  readonly action: string;
  readonly failed: boolean;
  readonly used: Box | null;
  readonly picked: Box | null;
  readonly masked: readonly Box[];
}

/**
 * The layer over the page that draws the pointer with its trail, clicks, keys, and the element in use. It keeps the
 * reader's pointer out of the page.
 */
export function ActionOverlay({ scale }: { scale: number }) {
  const ui = useUi();
  const { player } = ui;
  const seen = JSON.parse(useUiValue(() => JSON.stringify(look(player, ui)))) as Seen;
  const picking = useUiValue(() => ui.picking);
  const comparing = useUiValue(() => ui.compare !== null);
  const Compare = comparing && loadScript("tools").StepComparison;
  const About = useUiValue((of) => of.opened) && player.index.why && loadScript("why").FailedElements;
  const unit = 1 / Math.max(scale, 0.2);
  const pick = (event: PointerEvent): void => {
    if (!ui.picking) return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const found = player.stage.at((event.clientX - box.left) / scale, (event.clientY - box.top) / scale);
    ui.set({ picked: found ?? null, ...(event.type === "pointerdown" ? { picking: false } : {}) });
  };
  return (
    <div class={`overlay ${picking ? "picking" : ""}`} onPointerMove={pick} onPointerDown={pick}>
      {Compare && <Compare />}
      <svg aria-hidden="true">
        <defs>
          <pattern id="pagereel-hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="hatch" width="3" height="8" />
          </pattern>
        </defs>
        {seen.masked.map((box) => (
          <Rect key={box.join()} class="masked" box={box} unit={0} />
        ))}
        {seen.picked && <Rect class="picked" box={seen.picked} unit={unit} />}
        {seen.used && <Rect class={seen.failed ? "used bad" : "used"} box={seen.used} unit={unit} />}
        {!comparing && seen.trail && <polyline class="trail" points={seen.trail} stroke-width={2.5 * unit} />}
        {seen.click && (
          <circle
            class="click"
            cx={seen.click[0]}
            cy={seen.click[1]}
            r={(6 + 18 * seen.click[2]) * unit}
            stroke-width={2.5 * unit}
            opacity={1 - seen.click[2]}
          />
        )}
        {!comparing && seen.x >= 0 && (
          <path
            class="pointer"
            transform={`translate(${seen.x} ${seen.y}) scale(${unit})`}
            d="M0 0v17l4.200-3.900 2.700 6.200 2.900-1.200-2.700-6.100h5.900z"
          />
        )}
      </svg>
      {About && <About unit={unit} />}
      {(seen.keys || seen.action) && (
        <div class="captions" style={{ fontSize: `${13 * unit}px` }}>
          {seen.action && <code>{seen.action}</code>}
          {seen.keys && <kbd>{seen.keys}</kbd>}
        </div>
      )}
    </div>
  );
}

function Rect({ box: [x, y, w, h], unit, ...rest }: { class: string; box: Box; unit: number }) {
  const out = unit ? 3 : 0;
  return (
    <rect {...rest} x={x - out} y={y - out} width={w + 2 * out} height={h + 2 * out} rx={4} stroke-width={2 * unit} />
  );
}

function look(player: Player, ui: UiState): Seen {
  const t = player.time;
  let best: { t: number; x: number; y: number } | undefined;
  let trail = "";
  let click: Seen["click"] = null;
  let keys = "";
  const masked: Box[] = [];
  for (const { log, x, y, view } of player.stage.documents()) {
    const sample = log.pointerAt(t);
    if (sample && (!best || sample.t >= best.t)) {
      best = { t: sample.t, x: sample.x + x, y: sample.y + y };
      trail = log
        .trail(t - TRAIL, t)
        .map((point) => `${point.x + x},${point.y + y}`)
        .join(" ");
    }
    const press = findLastItemUntil(log.presses, t, (item) => item.t);
    if (press && t - press.t < RIPPLE && press.type !== "up")
      click = [press.x + x, press.y + y, round((t - press.t) / RIPPLE)];
    keys ||= log
      .keysDown(t - KEYS, t)
      .slice(-4)
      .map((key) => [...modifiers(key.mods), key.key === " " ? "Space" : key.key].join("+"))
      .join(" ");
    for (const id of view.masked) {
      const field = view.node(id) as HTMLInputElement | undefined;
      if (!field?.value) continue;
      for (const [left, top, w, h] of seenOf(field)) masked.push([round(left + x), round(top + y), round(w), round(h)]);
    }
  }
  const call = player.story.callAt(t);
  const showing = call && t <= call.time + Math.max(Number(call.event.duration ?? 0), 600) ? call : undefined;
  const node = showing && player.actionNode(showing);
  return {
    x: best ? round(best.x) : -1,
    y: best ? round(best.y) : -1,
    trail,
    click,
    keys,
    action: skipped(player) || (showing ? getActionTitle(showing) : ""),
    failed: Boolean(showing?.event.error),
    used: node ? boxOf(player, node) : null,
    picked: ui.picked ? boxOf(player, ui.picked) : null,
    masked,
  };
}

/** How large the parts are in which a field is looked at, px, and how many there are at most in a row and in a column. */
const PART = 8;
const PARTS = [40, 6] as const;

/** Where a field can be seen: not where something else of the page lies over it. */
function seenOf(field: Element): Box[] {
  const { x, y, width, height } = field.getBoundingClientRect();
  const root = field.getRootNode() as Document | ShadowRoot;
  const [columns, rows] = [width, height].map((size, i) => Math.min(Math.ceil(size / PART), PARTS[i] as number)) as [
    number,
    number,
  ];
  const [w, h] = [width / columns, height / rows];
  const found: Box[] = [];
  for (let row = 0; row < rows; row++) {
    let from = 0;
    for (let column = 0; column <= columns; column++) {
      const at = column < columns && root.elementFromPoint(x + (column + 0.5) * w, y + (row + 0.5) * h);
      if (at && field.contains(at)) continue;
      if (column > from) found.push([x + from * w, y + row * h, (column - from) * w, h]);
      from = column + 1;
    }
  }
  return found.length === rows && found.every((box) => box[2] === columns * w) ? [[x, y, width, height]] : found;
}

function boxOf(player: Player, { d, id }: { d: number; id: number }): Box | null {
  const box = player.stage.find(d, id)?.box;
  return box?.width ? [round(box.x), round(box.y), round(box.width), round(box.height)] : null;
}

/** What was just jumped over while playing. */
function skipped(player: Player): string {
  const { clock, time } = player;
  if (!clock.playing || !clock.skipIdle) return "";
  const idle = player.index.idle.find(([, to]) => time >= to && time < to + SAID);
  return idle ? `skipped ${formatDuration(idle[1] - idle[0])} of idle time` : "";
}

function modifiers(mods: string): string[] {
  const names: Record<string, string> = { c: "Ctrl", a: "Alt", m: "Meta", s: "Shift" };
  return [...mods].flatMap((letter) => names[letter] ?? []);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
