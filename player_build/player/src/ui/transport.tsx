import { useState } from "preact/hooks";
import { momentLink } from "../fragment.ts";
import { goToStep } from "./keys.ts";
import { clockTime } from "./format.ts";
import { usePlayer, useValue } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { Timeline } from "./timeline.tsx";

export const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;

export function Transport() {
  const player = usePlayer();
  const playing = useValue((of) => of.clock.playing);
  const speed = useValue((of) => of.clock.speed);
  const skip = useValue((of) => of.clock.skipIdle);
  const [copied, setCopied] = useState(false);
  return (
    <section class="transport" aria-label="Playback">
      <div class="buttons">
        <button
          type="button"
          title="Previous step (up arrow)"
          aria-label="Previous step"
          onClick={() => goToStep(player, -1)}
        >
          <Icon name="previous" />
        </button>
        <button
          type="button"
          class="play"
          title={playing ? "Pause (space)" : "Play (space)"}
          aria-label={playing ? "Pause" : "Play"}
          onClick={() => (playing ? player.pause() : player.play())}
        >
          <Icon name={playing ? "pause" : "play"} />
        </button>
        <button type="button" title="Next step (down arrow)" aria-label="Next step" onClick={() => goToStep(player, 1)}>
          <Icon name="next" />
        </button>
      </div>
      <Time />
      <Timeline />
      <div class="buttons">
        <select
          aria-label="Speed"
          title="Speed"
          value={String(speed)}
          onChange={(event) => {
            player.clock.speed = Number(event.currentTarget.value);
            player.changed();
          }}
        >
          {SPEEDS.map((value) => (
            <option key={value} value={String(value)}>
              {value === 0.5 ? "\u00bd" : value}
              {"\u00d7"}
            </option>
          ))}
        </select>
        {player.index.idle.length > 0 && (
          <label class="check" title="Jump over spans in which nothing happens">
            <input
              type="checkbox"
              checked={skip}
              onChange={(event) => {
                player.clock.skipIdle = event.currentTarget.checked;
                player.changed();
              }}
            />
            Skip idle
          </label>
        )}
        <button
          type="button"
          title="Copy a link to this moment"
          aria-label="Copy a link to this moment"
          onClick={() => {
            const link = momentLink(player.time);
            history.replaceState(null, "", `#${link.split("#")[1]}`);
            void navigator.clipboard?.writeText(link).catch(() => {});
            setCopied(true);
            setTimeout(() => setCopied(false), 1500);
          }}
        >
          <Icon name={copied ? "check" : "link"} />
        </button>
        <span class="visually-hidden" role="status">
          {copied ? "Link copied" : ""}
        </span>
      </div>
    </section>
  );
}

function Time() {
  const player = usePlayer();
  const time = useValue((of) => clockTime(of.time));
  return (
    <span class="time">
      <b>{time}</b> / {clockTime(player.duration)}
    </span>
  );
}
