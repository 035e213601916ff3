// The timeline of two runs: the steps of each, and where they differ.

import { useRef } from "preact/hooks";
import { formatClockTime } from "../ui/format.ts";
import { useUiValue } from "../ui/hooks.ts";
import type { JointPlayer } from "./joint-player.ts";
import { type Difference, RUN_SIDES, type RunSide } from "./data.ts";

/** Bars of a lane that are drawn at most: beyond, they lie over each other. */
const MOST = 400;

/**
 * The timeline of a comparison: the actions of each run, and the differences between them. Pressing or dragging
 * seeks.
 */
export function ComparisonTimeline({ joint }: { joint: JointPlayer }) {
  const track = useRef<HTMLDivElement>(null);
  const chosen = useUiValue(() => joint.chosen);
  const timeOf = (event: PointerEvent): number => {
    const box = (track.current as HTMLDivElement).getBoundingClientRect();
    return ((event.clientX - box.left) / box.width) * joint.duration;
  };
  return (
    <div class="timeline">
      <div class="lanes" aria-hidden="true">
        <span>A</span>
        <span>differs</span>
        <span>B</span>
      </div>
      <div
        class="track"
        ref={track}
        onPointerDown={(event) => {
          (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
          void joint.seek(timeOf(event));
        }}
        onPointerMove={(event) => {
          if (event.buttons & 1) void joint.seek(timeOf(event));
        }}
      >
        <Lane joint={joint} side="a" />
        <div class="lane marks">
          {joint.order.slice(0, MOST).map((place) => {
            const each = joint.told.differences[place] as Difference;
            return (
              <i
                key={place}
                class={`k-${each.kind} ${place === chosen ? "chosen" : ""}`}
                title={`${place + 1}: ${each.said}`}
                style={{ left: `${share(joint, each.u)}%` }}
                onPointerDown={(event) => {
                  event.stopPropagation();
                  void joint.choose(place);
                }}
              />
            );
          })}
        </div>
        <Lane joint={joint} side="b" />
        <Playhead joint={joint} />
      </div>
    </div>
  );
}

/** What one run did: its steps, and where it has none its calls. */
function Lane({ joint, side }: { joint: JointPlayer; side: RunSide }) {
  const rows = joint.told.pairs.flatMap((pair) => (pair[side] ? [{ done: pair[side], kind: pair.kind }] : []));
  const steps = rows.filter(({ done }) => done[0] === "step" && done[4] === 0);
  return (
    <div class="lane">
      {(steps.length ? steps : rows).slice(0, MOST).map(({ done, kind }) => {
        const [from, to] = [joint.jointOf(side, done[2]), joint.jointOf(side, done[3])];
        return (
          <span
            key={`${done[2]} ${done[1]}`}
            class={`bar ${kind} ${done[5] ? "failed" : ""}`}
            title={done[1]}
            style={{
              left: `${share(joint, from)}%`,
              width: `${Math.max(0.25, share(joint, to) - share(joint, from))}%`,
            }}
          >
            {done[1]}
          </span>
        );
      })}
    </div>
  );
}

function share(joint: JointPlayer, u: number): number {
  return Math.round((u / Math.max(1, joint.duration)) * 1e4) / 100;
}

function Playhead({ joint }: { joint: JointPlayer }) {
  const time = useUiValue(() => joint.time);
  return (
    <div
      class="playhead"
      role="slider"
      tabIndex={0}
      aria-label="Time of both"
      aria-valuemin={0}
      aria-valuemax={Math.round(joint.duration)}
      aria-valuenow={Math.round(time)}
      aria-valuetext={RUN_SIDES.map((side) => `${side.toUpperCase()} at ${formatClockTime(joint.timeOf(side))}`).join(
        ", ",
      )}
      style={{ left: `${share(joint, time)}%` }}
    />
  );
}
