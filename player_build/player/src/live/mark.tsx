import { useLayoutEffect } from "preact/hooks";
import { span } from "../ui/format.ts";
import { useDesk, useValue } from "../ui/hooks.ts";
import { feed } from "./feed.ts";

/** Says that this is happening now, and goes back to it. */
export function Mark() {
  const desk = useDesk();
  const { player } = desk;
  const following = useValue(() => player.following);
  const state = useValue(() => feed()?.state);
  const behind = useValue(() => span(player.duration - player.time));
  useLayoutEffect(() => {
    const here = feed();
    if (!here) return;
    here.desk = desk;
    desk.set({ range: [here.from, Math.max(player.duration, here.from + 1)] });
  }, [desk]);
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
