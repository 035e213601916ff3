// The buttons that play two runs on one clock.

import { formatClockTime } from "../ui/format.ts";
import { useUiValue } from "../ui/hooks.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { PLAYBACK_SPEEDS } from "../ui/navigation.ts";
import type { JointPlayer } from "./joint-player.ts";

/** The buttons of a comparison: play, speed, and previous or next difference. */
export function ComparisonPlaybackButtons({ joint }: { joint: JointPlayer }) {
  const playing = useUiValue(() => joint.clock.playing);
  const speed = useUiValue(() => joint.clock.speed);
  const skip = useUiValue(() => joint.clock.skipIdle);
  const time = useUiValue(() => formatClockTime(joint.time));
  const chosen = useUiValue(() => joint.chosen);
  const all = joint.order.length;
  return (
    <div class="buttons">
      <Button name="previous" label="Step before" keys={"\u2191"} onClick={() => joint.goToStep(-1)} />
      <Button
        name={playing ? "pause" : "play"}
        label={playing ? "Pause" : "Play"}
        keys="Space"
        onClick={() => (playing ? joint.pause() : joint.play())}
      />
      <Button name="next" label="Step after" keys={"\u2193"} onClick={() => joint.goToStep(1)} />
      <span class="time">
        <b>{time}</b> / {formatClockTime(joint.duration)}
      </span>
      {all > 0 && (
        <div class="group" role="group" aria-label="Differences">
          <button
            type="button"
            title="Difference before (P)"
            aria-label="Difference before"
            onClick={() => joint.step(-1)}
          >
            {"\u2039"}
          </button>
          <button
            type="button"
            title="Where they part (D)"
            onClick={() => void joint.choose(joint.told.divergence?.difference ?? 0)}
          >
            {chosen === null ? `${all} differ` : `${joint.order.indexOf(chosen) + 1} of ${all}`}
          </button>
          <button
            type="button"
            title="Difference after (N)"
            aria-label="Difference after"
            onClick={() => joint.step(1)}
          >
            {"\u203a"}
          </button>
        </div>
      )}
      <span class="space" />
      <label class="check" title="Skip time that is idle in both (S)">
        <input
          type="checkbox"
          checked={skip}
          onChange={(event) => {
            joint.clock.skipIdle = event.currentTarget.checked;
            joint.changed();
          }}
        />
        Skip idle
      </label>
      <select
        aria-label="Speed"
        title={"Speed (+ and \u2212)"}
        value={String(speed)}
        onChange={(event) => {
          joint.clock.speed = Number(event.currentTarget.value);
          joint.changed();
        }}
      >
        {PLAYBACK_SPEEDS.map((value) => (
          <option key={value} value={String(value)}>
            {value === 0.5 ? "\u00bd" : value}
            {"\u00d7"}
          </option>
        ))}
      </select>
    </div>
  );
}

function Button({ name, label, keys, onClick }: { name: IconName; label: string; keys: string; onClick: () => void }) {
  return (
    <button
      type="button"
      class={name === "play" || name === "pause" ? "play" : "icon-button"}
      title={`${label} (${keys})`}
      aria-label={label}
      onClick={onClick}
    >
      <Icon name={name} />
    </button>
  );
}
