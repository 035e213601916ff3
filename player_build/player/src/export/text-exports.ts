// What a reader copies, saves or prints: the moment as a link or Markdown, a request as cURL, lists as files.

import type { PlayerEvent } from "../decode/events.ts";
import type { Player } from "../player.ts";
import { buildMomentLink } from "./link.ts";
import { getConsoleLine } from "../history/console.ts";
import { formatClockTime, toReadableText } from "../ui/format.ts";

/** Returns a recorded request as a `curl` command for a shell; `post`: its body. */
export function formatAsCurl(request: PlayerEvent, post: string | undefined): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = [`curl ${quote(String(request.url))}`];
  if (request.method !== "GET") parts.push(`-X ${request.method}`);
  for (const [name, value] of Object.entries((request.headers ?? {}) as Record<string, string>))
    if (!name.startsWith(":")) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  if (post !== undefined) parts.push(`--data-raw ${quote(post)}`);
  return parts.join(" \\\n  ");
}

/**
 * Returns a description of the player's current time as Markdown, for a ticket: the step and call, the error, the
 * locator, and a link.
 */
export function formatMomentAsMarkdown(player: Player): string {
  const { index, story, time } = player;
  const step = story.stepAt(time);
  const call = story.callAt(time);
  const lines = [`### ${index.title} at ${formatClockTime(time)}`, ""];
  if (step) {
    const verdict =
      step.success === false
        ? " \u2014 **failed**"
        : step.success
          ? " \u2014 succeeded"
          : step.closed
            ? " \u2014 done"
            : "";
    lines.push(`- Step ${step.number}: ${step.title}${verdict}`);
    if (step.reasoning) lines.push(`- Reasoning: ${step.reasoning.replaceAll("\n", " ")}`);
  }
  if (call) lines.push(`- Action: \`${call.event.method} ${call.event.locator ?? ""}\``.replace(" `", "`"));
  const url = player.stage.log?.urlAt(time);
  if (url) lines.push(`- Page: ${url}`);
  lines.push(`- Moment: ${buildMomentLink(time, player.chosenPage)}`);
  const error = toReadableText(call?.event.error ?? step?.error ?? "");
  if (error) lines.push("", "```", error, "```");
  const problems = story.errors.filter((entry) => Math.abs(entry.t - time) < 5000);
  if (problems.length) lines.push("", "Errors in the page around it:", "");
  for (const entry of problems)
    lines.push(`- ${formatClockTime(entry.t)} ${toReadableText(entry.message).split("\n")[0]}`);
  return `${lines.join("\n")}\n`;
}

/** Returns all console entries as text, one line for each with its time and level. */
export function formatConsoleAsText(player: Player): string {
  return player.story.console
    .map((entry) => {
      const { level, text } = getConsoleLine(entry);
      return `${formatClockTime(entry.t)} ${level}: ${text}\n`;
    })
    .join("");
}

/** Makes the browser download a file with this name and content. */
export function downloadFile(name: string, content: string | Blob, type = ""): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
