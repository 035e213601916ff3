// A step's page before and after, side by side.

import { useLayoutEffect, useRef } from "preact/hooks";
import { useUi, useUiValue } from "../ui/hooks.ts";
import { getStepMoments } from "../ui/navigation.ts";
import { useSecondStage } from "./page-thumbnail.tsx";

/** The page before a step laid over the page after it, with a movable edge between them. */
export function StepComparison() {
  const ui = useUi();
  const { player } = ui;
  const share = useUiValue((_, of) => of.compare ?? 0.5);
  const step = useUiValue(() => player.story.stepAt(player.time)?.id ?? 0);
  const host = useRef<HTMLDivElement>(null);
  const stage = useSecondStage(host);
  useLayoutEffect(() => {
    const moments = getStepMoments(player);
    if (!moments) return;
    void player.seek(moments[2]);
    stage.current?.paint(player.page, moments[0]);
    const timer = setTimeout(() => stage.current?.paint(player.page, moments[0]), 250); // Its pictures may have been read meanwhile.
    return () => clearTimeout(timer);
  }, [step]);
  return (
    <>
      <div class="before" inert style={{ clipPath: `inset(0 ${(1 - share) * 100}% 0 0)` }}>
        <div class="pages" ref={host} />
      </div>
      <div class="edge" style={{ left: `${share * 100}%` }}>
        <span>before</span>
        <span>after</span>
      </div>
      <input
        class="compare"
        type="range"
        min={0}
        max={100}
        aria-label="How much shows as it was before the step, in percent"
        value={share * 100}
        onInput={(event) => ui.set({ compare: Number(event.currentTarget.value) / 100 })}
      />
    </>
  );
}
