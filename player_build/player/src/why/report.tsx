// The failure chain in the printed report.

import { render } from "preact";
import type { FailureChain } from "../decode/pieces.ts";
import type { Stage } from "../paint/stage.ts";
import { type ElementOutline, ElementOutlines, findOutlines } from "./elements.tsx";
import { FirstCause } from "./failure-explanation.tsx";

/**
 * Adds the explanation of the failure to the top of the printed report. Returns the element for the failure's
 * picture.
 */
export function addFailureExplanation(report: HTMLElement, why: FailureChain): HTMLElement {
  const section = document.createElement("div");
  render(
    <>
      <h2 class={why.failed ? "failed" : ""}>{why.failed ? "Why it failed" : "What went wrong on the way"}</h2>
      <ol>
        {why.chain.map(([said], at) => (
          <li key={at}>{at ? said : <FirstCause said={said} first={false} />}</li>
        ))}
      </ol>
      {why.where && <p class="soft">{why.where.join(" \u00b7 ")}</p>}
    </>,
    section,
  );
  report.append(section);
  return section;
}

/**
 * Outlines the elements that the failure is about on a picture of the page, which has `scale` times the page's size.
 */
export function addFailureOutlines(
  pages: HTMLElement,
  why: FailureChain,
  stage: Stage,
  size: Pick<ElementOutline, "w" | "h">,
  scale: number,
): void {
  const layer = document.createElement("div");
  render(<ElementOutlines outlines={findOutlines(why, why.t, stage, size)} unit={1 / scale} />, layer);
  pages.append(layer);
}
