import { lastUpTo } from "../history/search.ts";
import type { Player } from "../player.ts";
import { useValue } from "./hooks.ts";

/** How long a click shows, ms on the recording's clock. */
const RIPPLE = 500;
/** How long the trail of the pointer is, ms. */
const TRAIL = 700;
/** How long a key shows, ms. */
const KEYS = 900;

interface Seen {
  readonly x: number;
  readonly y: number;
  readonly trail: string;
  readonly click: { readonly x: number; readonly y: number; readonly age: number } | null;
  readonly keys: string;
  readonly action: string;
  readonly box: { readonly x: number; readonly y: number; readonly w: number; readonly h: number } | null;
}

/** Pointer with its trail, clicks, keys and the element in use, drawn over the page; it also keeps the reader's pointer out of it. */
export function Overlay({ scale }: { scale: number }) {
  const seen = JSON.parse(useValue((player) => JSON.stringify(look(player)))) as Seen | null;
  const unit = 1 / Math.max(scale, 0.2);
  return (
    <div class="overlay">
      {seen && (
        <svg aria-hidden="true">
          {seen.box && (
            <rect
              class="used"
              x={seen.box.x - 3}
              y={seen.box.y - 3}
              width={seen.box.w + 6}
              height={seen.box.h + 6}
              rx={4}
              stroke-width={2 * unit}
            />
          )}
          {seen.trail && <polyline class="trail" points={seen.trail} stroke-width={2.5 * unit} />}
          {seen.click && (
            <circle
              class="click"
              cx={seen.click.x}
              cy={seen.click.y}
              r={(6 + 18 * seen.click.age) * unit}
              stroke-width={2.5 * unit}
              opacity={1 - seen.click.age}
            />
          )}
          {seen.x >= 0 && (
            <path
              class="pointer"
              transform={`translate(${seen.x} ${seen.y}) scale(${unit})`}
              d="M0 0v17l4.200-3.900 2.700 6.200 2.900-1.200-2.700-6.100h5.900z"
            />
          )}
        </svg>
      )}
      {seen && (seen.keys || seen.action) && (
        <div class="captions" style={{ fontSize: `${13 * unit}px` }}>
          {seen.action && <code>{seen.action}</code>}
          {seen.keys && <kbd>{seen.keys}</kbd>}
        </div>
      )}
    </div>
  );
}

function look(player: Player): Seen | null {
  const t = player.time;
  let best: { t: number; x: number; y: number } | undefined;
  let trail = "";
  let click: Seen["click"] = null;
  let pressed: { t: number; d: number; node: number } | undefined;
  let keys = "";
  for (const { log, x, y } of player.stage.documents()) {
    const sample = log.pointerAt(t);
    if (sample && (!best || sample.t >= best.t)) {
      best = { t: sample.t, x: sample.x + x, y: sample.y + y };
      trail = log.pointer
        .filter((point) => point.t <= t && point.t > t - TRAIL)
        .map((point) => `${point.x + x},${point.y + y}`)
        .join(" ");
    }
    const press = lastUpTo(log.presses, t, (item) => item.t);
    if (press && t - press.t < RIPPLE && press.type !== "up") {
      click = { x: press.x + x, y: press.y + y, age: round((t - press.t) / RIPPLE) };
      pressed = { t: press.t, d: log.d, node: press.node };
    }
    keys ||= log.keys
      .filter((key) => key.type === "down" && key.key && key.t <= t && key.t > t - KEYS)
      .slice(-4)
      .map((key) => [...modifiers(key.mods), key.key === " " ? "Space" : key.key].join("+"))
      .join(" ");
  }
  const box = pressed ? player.stage.find(pressed.d, pressed.node)?.box : undefined;
  return {
    x: best ? round(best.x) : -1,
    y: best ? round(best.y) : -1,
    trail,
    click,
    keys,
    action: actionAt(player, t),
    box: box ? { x: round(box.x), y: round(box.y), w: round(box.width), h: round(box.height) } : null,
  };
}

/** The Playwright call that is under way. */
function actionAt(player: Player, t: number): string {
  const step = player.story.stepAt(t);
  const call = step?.items.findLast((item) => item.kind === "call" && item.time <= t);
  if (!call) return "";
  const duration = Number(call.event.duration ?? 0);
  if (t > call.time + Math.max(duration, 600)) return "";
  const locator = call.event.locator;
  return `${call.event.method ?? ""}${locator ? ` ${locator}` : ""}`;
}

function modifiers(mods: string): string[] {
  const names: Record<string, string> = { c: "Ctrl", a: "Alt", m: "Meta", s: "Shift" };
  return [...mods].flatMap((letter) => names[letter] ?? []);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
