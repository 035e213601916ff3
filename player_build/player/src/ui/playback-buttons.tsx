// The buttons that play, step, and change the speed.

import { loadScript } from "../script-loading.ts";
import { formatClockTime, formatDuration } from "./format.ts";
import { useUi, useUiValue } from "./hooks.ts";
import { Icon, type IconName } from "./icons.tsx";
import { goToStep, PLAYBACK_SPEEDS, getStepMoments } from "./navigation.ts";

/** The buttons for playing, for the previous and next step, for the speed, and for skipping idle spans. */
export function PlaybackButtons() {
  const ui = useUi();
  const { player } = ui;
  const playing = useUiValue(() => player.playing);
  const speed = useUiValue(() => player.clock.speed);
  const skip = useUiValue(() => player.clock.skipIdle);
  const loop = useUiValue(() => player.clock.loop);
  const comparing = useUiValue(() => ui.compare !== null);
  const steps = useUiValue(() => player.story.steps.length > 0);
  const LiveMark = player.index.live && loadScript("live").LiveIndicator;
  const idle = player.index.idle.reduce((sum, [from, to]) => sum + to - from, 0);
  return (
    <div class="buttons">
      <Button name="previous" label="Previous step" keys={"\u2191"} onClick={() => goToStep(player, -1)} />
      <Button
        name={playing ? "pause" : "play"}
        label={playing ? "Pause" : "Play"}
        keys="Space"
        onClick={() => (playing ? player.pause() : player.play())}
      />
      <Button name="next" label="Next step" keys={"\u2193"} onClick={() => goToStep(player, 1)} />
      <Time />
      {LiveMark && <LiveMark />}
      {steps && (
        <div class="group" role="group" aria-label="This step">
          {(["Before", "Action", "After"] as const).map((name, index) => (
            <button
              key={name}
              type="button"
              title={`${name === "Action" ? "At the step's action" : `${name} the step`} (${"BAN"[index]})`}
              onClick={() => {
                const moments = getStepMoments(player);
                if (moments) void player.seek(moments[index] as number);
              }}
            >
              {name}
            </button>
          ))}
          <button
            type="button"
            aria-pressed={comparing}
            title="Before and after, one over the other (V)"
            aria-label="Compare before and after"
            onClick={() => ui.set({ compare: comparing ? null : 0.5 })}
          >
            <Icon name="compare" />
          </button>
        </div>
      )}
      <span class="space" />
      {loop && (
        <button
          type="button"
          class="chip"
          title="Stop looping (\)"
          onClick={() => {
            player.clock.loop = null;
            player.changed();
          }}
        >
          loop {formatClockTime(loop[0])} – {formatClockTime(loop[1])} ×
        </button>
      )}
      {idle > 0 && (
        <label class="check" title={`Skip idle time: ${formatDuration(idle)} in all (S)`}>
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
      <select
        aria-label="Speed"
        title="Speed (+ and −)"
        value={String(speed)}
        onChange={(event) => {
          player.clock.speed = Number(event.currentTarget.value);
          player.changed();
        }}
      >
        {PLAYBACK_SPEEDS.map((value) => (
          <option key={value} value={String(value)}>
            {value === 0.5 ? "\u00bd" : value}
            {"\u00d7"}
          </option>
        ))}
      </select>
      <Button
        name="link"
        label="Copy a link to this moment"
        keys="L"
        onClick={() => loadScript("export").copyLink?.(ui)}
      />
    </div>
  );
}

function Button({ name, label, keys, onClick }: { name: IconName; label: string; keys: string; onClick: () => void }) {
  return (
    <button
      type="button"
      class={name === "play" || name === "pause" ? "play" : `icon-button ${name}`}
      title={`${label} (${keys})`}
      aria-label={label}
      onClick={onClick}
    >
      <Icon name={name} />
    </button>
  );
}

function Time() {
  const { player } = useUi();
  const time = useUiValue(() => formatClockTime(player.time));
  return (
    <span class="time">
      <b>{time}</b>
      <span> / {formatClockTime(player.duration)}</span>
    </span>
  );
}
