// The report that is printed in the player's place: outcome, cause, steps, requests.

import { formatMessageDirection } from "../history/agents.ts";
import { foldRepeatedCalls, formatFoldedTitle } from "../history/repeated-calls.ts";
import { loadScript } from "../script-loading.ts";
import { Stage } from "../paint/stage.ts";
import type { Player } from "../player.ts";
import { describeFidelity, formatClockTime, describeImport, toReadableText, formatDuration } from "../ui/format.ts";
import { getWindowSize } from "../ui/size.ts";

/** px of paper for a picture. */
const WIDTH = 520;
/** More pictures than this no printer is asked for. */
const MOST = 60;

/** Prints a report of the steps, each with a picture of the page at its end, once all pictures are drawn. */
export async function printReport(player: Player): Promise<void> {
  await player.resources.prefetch(() => {});
  removePrintedReport();
  const pictures = make(player);
  await Promise.all(pictures.map(({ stage, t }) => stage.settled(t)));
  outline(player, pictures);
  print();
}

/** Adds the report for printing to the document, unless it is there already. Its pictures may still be loading. */
export function addPrintedReport(player: Player): void {
  if (!report) outline(player, make(player));
}

let report: HTMLElement | undefined;

/** Removes the report for printing from the document. */
export function removePrintedReport(): void {
  report?.remove();
  report = undefined;
}

interface Picture {
  readonly stage: Stage;
  readonly pages: HTMLElement;
  readonly t: number;
}

function make(player: Player): Picture[] {
  const { index, story } = player;
  const pictures: Picture[] = [];
  report = add(document.body, "article", "report");
  add(report, "h1", "", index.title);
  const facts = [
    index.info.started ? new Date(index.info.started).toLocaleString() : "",
    formatDuration(index.duration),
    index.info.redaction ? "redacted" : "not redacted",
    index.info.sealed ? "complete recording" : "incomplete recording",
    describeImport(index.info) || describeFidelity(index.info.fidelity),
  ];
  add(report, "p", "soft", facts.filter(Boolean).join(" \u00b7 "));
  const { why } = index;
  const section = why && loadScript("why").addFailureExplanation?.(report, why);
  if (section && why.chain.some(([, t, link]) => link.is && t === why.t))
    pictures.push(picture(player, section, why.t));
  for (const [number, step] of story.steps.entries()) {
    const section = add(report, "section", "");
    const verdict =
      step.success === false ? "failed" : step.success ? "succeeded" : step.closed ? "done" : "never ended";
    add(
      section,
      "h2",
      step.success === false ? "failed" : "",
      `${step.number}. ${step.agent ? `${step.agent}: ` : ""}${step.title}`,
    );
    add(
      section,
      "p",
      "soft",
      [formatClockTime(step.time), formatDuration(step.duration), verdict].filter(Boolean).join(" \u00b7 "),
    );
    if (step.reasoning) add(section, "p", "reasoning", step.reasoning);
    const list = add(section, "ul", "");
    for (const fold of foldRepeatedCalls(step.items)) {
      const { item } = fold;
      if (item.kind === "call") add(list, "li", "", formatFoldedTitle(fold));
      else if (item.kind === "agent_message")
        add(list, "li", "", `${formatMessageDirection(item)}: ${toReadableText(item.event.text)}`);
      else if (item.kind === "note") add(list, "li", "", toReadableText(item.event.text ?? item.event.name));
    }
    if (step.message) add(section, "p", "", step.message);
    if (step.error) add(section, "p", "failed", step.error);
    if (number < MOST) pictures.push(picture(player, section, Math.max(0, step.time + step.duration - 1)));
  }
  if (story.errors.length) {
    add(report, "h2", "", "Errors in the page");
    for (const error of story.errors)
      add(report, "pre", "", `${formatClockTime(error.t)} ${toReadableText(error.stack ?? error.message)}`);
  }
  return pictures;
}

function picture(player: Player, section: HTMLElement, t: number): Picture {
  const size = getWindowSize(player, t);
  const scale = WIDTH / size.w;
  const frame = add(section, "div", "picture");
  frame.style.width = `${WIDTH}px`;
  frame.style.height = `${size.h * scale}px`;
  const pages = add(frame, "div", "pages");
  pages.style.width = `${size.w}px`;
  pages.style.height = `${size.h}px`;
  pages.style.transform = `scale(${scale})`;
  const stage = new Stage(pages, player.recording, player.resources);
  stage.paint(player.pageAt(t), t);
  return { stage, pages, t };
}

/** Outlines what the run failed by, when its picture is there. */
function outline(player: Player, pictures: readonly Picture[]): void {
  const { why } = player.index;
  for (const { stage, pages, t } of pictures) {
    const size = getWindowSize(player, t);
    if (why && t === why.t) loadScript("why").addFailureOutlines?.(pages, why, stage, size, WIDTH / size.w);
  }
}

function add(parent: HTMLElement, tag: string, name: string, text = ""): HTMLElement {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.textContent = text;
  parent.append(element);
  return element;
}
