import { useRef, useState } from "preact/hooks";
import type { Player } from "../player.ts";
import { clockTime } from "./format.ts";
import { usePlayer, useValue } from "./hooks.ts";

/** Steps, clicks, marks, errors, gaps and idle spans over time. Press or drag to go there. */
export function Timeline() {
  const player = usePlayer();
  const bar = useRef<HTMLDivElement>(null);
  const [hover, setHover] = useState<number | null>(null);
  const loaded = useValue((of) => of.story.steps.length + of.recording.documents.size + of.recording.loaded);

  const timeOf = (event: PointerEvent): number => {
    const box = (bar.current as HTMLDivElement).getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * player.duration;
  };
  return (
    <div class="timeline">
      {/* The slider within is what the keyboard and screen readers use. */}
      <div
        class="track"
        ref={bar}
        onPointerDown={(event) => {
          (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
          void player.seek(timeOf(event));
        }}
        onPointerMove={(event) => {
          const t = timeOf(event);
          setHover(t);
          if (event.buttons & 1) void player.seek(t);
        }}
        onPointerLeave={() => setHover(null)}
      >
        <Lanes player={player} loaded={loaded} />
        {hover !== null && (
          <div class="hover" style={{ left: `${(hover / player.duration) * 100}%` }}>
            <span>{label(player, hover)}</span>
          </div>
        )}
        <Playhead />
      </div>
    </div>
  );
}

function Playhead() {
  const player = usePlayer();
  const time = useValue((of) => of.time);
  return (
    <div
      class="playhead"
      role="slider"
      tabIndex={0}
      aria-label="Time"
      aria-valuemin={0}
      aria-valuemax={Math.round(player.duration)}
      aria-valuenow={Math.round(time)}
      aria-valuetext={`${clockTime(time)} of ${clockTime(player.duration)}`}
      style={{ left: `${(time / Math.max(1, player.duration)) * 100}%` }}
    />
  );
}

function Lanes({ player, loaded }: { player: Player; loaded: number }) {
  void loaded; // Drawn anew when more of the file was read.
  const at = (t: number) => `${(t / Math.max(1, player.duration)) * 100}%`;
  const presses = [...player.recording.documents.values()].flatMap((log) =>
    log.presses.filter((press) => press.type === "click"),
  );
  return (
    <>
      {player.index.idle.map(([from, to]) => (
        <i key={`i${from}`} class="idle" style={{ left: at(from), width: at(to - from) }} />
      ))}
      {player.story.steps.map((step) => (
        <i
          key={`s${step.id}`}
          class={`span ${step.success === false ? "failed" : step.success ? "done" : ""}`}
          style={{ left: at(step.time), width: at(step.duration), top: `${6 + Math.min(step.depth, 2) * 4}px` }}
        />
      ))}
      {presses.map((press) => (
        <i key={`c${press.t}`} class="tick" style={{ left: at(press.t) }} />
      ))}
      {player.story.gaps.map((gap, index) => (
        <i key={`g${index}`} class="gap" style={{ left: at(gap.t) }} />
      ))}
      {player.story.errors.map((error, index) => (
        <i key={`e${index}`} class="error" style={{ left: at(error.t) }} />
      ))}
      {player.story.marks.map((mark) => (
        <i key={`m${mark.time}${mark.name}`} class="mark" style={{ left: at(mark.time) }} />
      ))}
    </>
  );
}

/** What is near a time: so that a tick can be read before it is pressed. */
function label(player: Player, t: number): string {
  const near = player.duration / 150;
  const close = <T,>(items: readonly T[], time: (item: T) => number) =>
    items.find((item) => Math.abs(time(item) - t) < near);
  const mark = close(player.story.marks, (item) => item.time);
  const error = close(player.story.errors, (item) => item.t);
  const gap = close(player.story.gaps, (item) => item.t);
  const step = player.story.stepAt(t);
  const idle = player.index.idle.find(([from, to]) => t > from && t < to);
  const what =
    (mark && `mark: ${mark.name}`) ||
    (error && `error: ${error.message}`) ||
    (gap && `not recorded: ${gap.reason ?? gap.what}`) ||
    (idle && `nothing happens for ${clockTime(idle[1] - idle[0])}`) ||
    step?.title ||
    "";
  return what ? `${clockTime(t)}  ${what}` : clockTime(t);
}
