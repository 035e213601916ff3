// The timeline: lanes on a canvas, with a slider and a preview under the pointer.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { loadScript } from "../script-loading.ts";
import { formatClockTime } from "../ui/format.ts";
import { AgentName } from "../ui/agent.tsx";
import { useUi, useUiValue } from "../ui/hooks.ts";
import {
  buildMessageArrows,
  drawLanes,
  describeTimelinePoint,
  buildLanes,
  ROW_HEIGHT,
  computeLaneTops,
} from "./lanes.ts";
import { TimelineScale } from "./scale.ts";
import { PictureStrip } from "./strip.tsx";

interface Hover {
  readonly t: number;
  readonly y: number;
  readonly touch: boolean;
}

/**
 * The timeline: all entries in lanes. Pressing or dragging seeks, the wheel zooms, and dragging with Shift sets a
 * loop.
 */
export function Timeline() {
  const ui = useUi();
  const { player } = ui;
  const track = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hover, setHover] = useState<Hover | null>(null);
  const loop = useRef<number | null>(null);
  const known = useUiValue(() => player.story.items.length + player.story.steps.length + player.story.network.length);
  const pages = useUiValue(
    () => player.recording.documents.size + player.story.console.length + player.story.screens.length,
  );
  const lanes = useMemo(() => buildLanes(player), [known, pages, player.duration]);
  const scale = useMemo(
    () => new TimelineScale(player.duration, player.index.idle),
    [player.duration, player.index.idle.length],
  );
  const [strip, setStrip] = useState(false);
  const arrows = useMemo(() => buildMessageArrows(player, lanes), [lanes]);
  const [from, to] = useUiValue((_, of) => of.range);
  const hits = useUiValue((_, of) => of.hits);
  const looped = useUiValue(() => player.clock.loop);
  const [size, setSize] = useState("");
  const { tops: places, height } = computeLaneTops(lanes);
  // A canvas takes its time: it comes after the first frame.
  const opened = useUiValue(() => player.opened);

  useLayoutEffect(() => {
    if (!opened) return;
    const element = track.current as HTMLDivElement;
    const observer = new ResizeObserver(() => setSize(`${element.clientWidth}`));
    observer.observe(element);
    const themes = new MutationObserver(() => setSize(`${document.documentElement.dataset.theme}`));
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    // A wheel must be kept from scrolling, which a passive listener cannot.
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const [begin, end] = ui.range;
      const width = end - begin;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        const by = ((event.deltaX || event.deltaY) / element.clientWidth) * width;
        const start = Math.min(Math.max(1, player.duration) - width, Math.max(0, begin + by));
        ui.set({ range: [start, start + width] });
      } else ui.zoom(1.0015 ** event.deltaY, timeAt(element, scale, ui.range, event.clientX));
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => {
      observer.disconnect();
      themes.disconnect();
      element.removeEventListener("wheel", wheel);
    };
  }, [opened, scale]);
  useLayoutEffect(() => {
    // Not before everything is laid out, which is when its size is told.
    if (canvas.current && size) drawLanes(canvas.current, player, lanes, [from, to], scale, hits, arrows);
  }, [lanes, scale, from, to, hits, looped, size, height]);

  const timeOf = (event: PointerEvent): number =>
    timeAt(track.current as HTMLDivElement, scale, ui.range, event.clientX);
  // Asked for only when it is wanted: the browser lays everything out to tell.
  const HoverPreview = hover && loadScript("tools").HoverPreview;
  const width = (hover && track.current?.clientWidth) || 1;
  const place = hover ? scale.place(hover.t, [from, to]) : 0;
  return (
    <div class={arrows.length || lanes.some((lane) => lane.look) ? "timeline agents" : "timeline"}>
      {strip && <PictureStrip range={[from, to]} scale={scale} />}
      {player.recording.pages.size > 0 && (
        <button
          type="button"
          class="strip-toggle"
          aria-pressed={strip}
          title="Pictures of the whole run"
          onClick={() => setStrip(!strip)}
        >
          Pictures
        </button>
      )}
      <div class="lanes" aria-hidden="true">
        {lanes.map((lane, index) => (
          <span
            key={`${lane.name} ${index}`}
            class={lane.look && "whose"}
            title={lane.look && lane.name}
            style={{ top: `${(places[index] as number) + (lane.rows * ROW_HEIGHT) / 2}px` }}
          >
            {lane.look ? <AgentName look={lane.look} /> : lane.name}
          </span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the slider within is what the keyboard and screen readers use. */}
      <div
        class="track"
        ref={track}
        style={{ height: `${height}px` }}
        onPointerDown={(event) => {
          (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
          const t = timeOf(event);
          loop.current = event.shiftKey ? t : null;
          if (!event.shiftKey) void player.seek(t);
        }}
        onPointerMove={(event) => {
          const t = timeOf(event);
          const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
          setHover({ t, y: event.clientY - box.top, touch: event.pointerType === "touch" });
          if (!(event.buttons & 1)) return;
          if (loop.current === null) void player.seek(t);
          else {
            player.clock.loop = [Math.min(loop.current, t), Math.max(loop.current, t)];
            player.changed();
          }
        }}
        onPointerLeave={() => setHover(null)}
        onDblClick={() => ui.set({ range: [0, Math.max(1, player.duration)] })}
      >
        <canvas ref={canvas} />
        {hover && HoverPreview && (
          <div class="hover" style={{ left: `${place * 100}%` }}>
            <HoverPreview
              t={hover.t}
              shown={!hover.touch}
              shift={Math.min(0.5, Math.max(-0.5, (place - 0.5) * (width > 700 ? 0.4 : 2)))}
              label={describeTimelinePoint(
                player,
                lanes,
                arrows,
                hover.t,
                hover.y,
                scale.at(place + 4 / width, [from, to]) - hover.t,
              )}
            />
          </div>
        )}
        <Playhead from={from} to={to} scale={scale} />
      </div>
    </div>
  );
}

function timeAt(track: HTMLElement, scale: TimelineScale, range: readonly [number, number], x: number): number {
  const box = track.getBoundingClientRect();
  return scale.at(Math.min(1, Math.max(0, (x - box.left) / box.width)), range);
}

function Playhead({ from, to, scale }: { from: number; to: number; scale: TimelineScale }) {
  const ui = useUi();
  const { player } = ui;
  const time = useUiValue(() => player.time);
  const place = scale.place(time, [from, to]);
  useLayoutEffect(() => {
    // The part that shows goes along.
    if (place >= 0 && place <= 1) return;
    const width = to - from;
    const start = Math.min(Math.max(1, player.duration) - width, Math.max(0, time - width * 0.1));
    ui.set({ range: [start, start + width] });
  }, [time]);
  return (
    <div
      class="playhead"
      role="slider"
      tabIndex={0}
      aria-label="Time"
      aria-valuemin={0}
      aria-valuemax={Math.round(player.duration)}
      aria-valuenow={Math.round(time)}
      aria-valuetext={`${formatClockTime(time)} of ${formatClockTime(player.duration)}`}
      style={{ left: `${Math.min(1, Math.max(0, place)) * 100}%` }}
    />
  );
}
