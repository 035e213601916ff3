// The badge of a recording that is being made.

import { useLayoutEffect } from "preact/hooks";
import { formatDuration } from "../ui/format.ts";
import { useUi, useUiValue } from "../ui/hooks.ts";
import { getCurrentFeed } from "./feed.ts";

/** The button that says that the recording is under way, and seeks back to its newest moment. */
export function LiveIndicator() {
  const ui = useUi();
  const { player } = ui;
  const following = useUiValue(() => player.following);
  const state = useUiValue(() => getCurrentFeed()?.state);
  const behind = useUiValue(() => formatDuration(player.duration - player.time));
  useLayoutEffect(() => {
    const here = getCurrentFeed();
    if (!here) return;
    here.ui = ui;
    ui.set({ range: [here.from, Math.max(player.duration, here.from + 1)] });
  }, [ui]);
  if (state === "gone")
    return (
      <span class="live gone" role="status">
        Nothing more comes
      </span>
    );
  return (
    <button
      type="button"
      class={`live ${state}`}
      aria-pressed={following}
      title={following ? "What happens now, as it comes. Press to stay here." : "Show what happens now, as it comes"}
      onClick={() => (following ? player.pause() : player.newest(true))}
    >
      <i aria-hidden="true" />
      {state === "waiting" ? "Connecting" : "Live"}
      {!following && <small>{behind} behind</small>}
    </button>
  );
}
