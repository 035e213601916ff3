// What a reader takes along: the moment as a link or Markdown, a request as cURL, lists as files.

import type { PlayerEvent } from "../decode/events.ts";
import { momentLink } from "../fragment.ts";
import { endOf } from "../history/story.ts";
import type { Player } from "../player.ts";
import { consoleLine } from "./console.tsx";
import { clockTime, readable } from "./format.ts";

/** A request as a command for a shell. */
export function asCurl(request: PlayerEvent, post: string | undefined): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = [`curl ${quote(String(request.url))}`];
  if (request.method !== "GET") parts.push(`-X ${request.method}`);
  for (const [name, value] of Object.entries((request.headers ?? {}) as Record<string, string>))
    if (!name.startsWith(":")) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  if (post !== undefined) parts.push(`--data-raw ${quote(post)}`);
  return parts.join(" \\\n  ");
}

/** The moment for a ticket: what the agent did, what went wrong, where, and a link. */
export function asMarkdown(player: Player): string {
  const { index, story, time } = player;
  const step = story.stepAt(time);
  const call = story.callAt(time);
  const lines = [`### ${index.title} at ${clockTime(time)}`, ""];
  if (step) {
    const verdict = step.success === false ? " \u2014 **failed**" : step.success ? " \u2014 succeeded" : "";
    lines.push(`- Step ${step.id}: ${step.title}${verdict}`);
    if (step.reasoning) lines.push(`- Reasoning: ${step.reasoning.replaceAll("\n", " ")}`);
  }
  if (call) lines.push(`- Action: \`${call.event.method} ${call.event.locator ?? ""}\``.replace(" `", "`"));
  const url = player.stage.log?.urlAt(time);
  if (url) lines.push(`- Page: ${url}`);
  lines.push(`- Moment: ${momentLink(time)}`);
  const error = readable(call?.event.error ?? step?.error ?? "");
  if (error) lines.push("", "```", error, "```");
  const problems = story.errors.filter((entry) => Math.abs(entry.t - time) < 5000);
  if (problems.length) lines.push("", "Errors in the page around it:", "");
  for (const entry of problems) lines.push(`- ${clockTime(entry.t)} ${readable(entry.message).split("\n")[0]}`);
  return `${lines.join("\n")}\n`;
}

export function consoleText(player: Player): string {
  return player.story.console
    .map((entry) => {
      const { level, text } = consoleLine(entry);
      return `${clockTime(entry.t)} ${level}: ${text}\n`;
    })
    .join("");
}

/** HTTP Archive 1.2. */
export function asHar(player: Player): object {
  const { info } = player.index;
  const list = (headers: unknown): object[] =>
    Object.entries((headers ?? {}) as Record<string, string>).map(([name, value]) => ({ name, value }));
  const started = info.started ?? 0;
  return {
    log: {
      version: "1.2",
      creator: { name: "pagereel", version: player.index.player },
      browser: info.browser,
      entries: player.story.network.map((entry) => {
        const { request, response } = entry;
        const time = Math.max(0, endOf(entry) - request.t);
        const base = { httpVersion: "", cookies: [], headersSize: -1 };
        return {
          startedDateTime: new Date(started + request.t).toISOString(),
          time,
          request: {
            ...base,
            method: request.method,
            url: request.url,
            headers: list(request.headers),
            queryString: [],
            bodySize: -1,
          },
          response: {
            ...base,
            status: response?.status ?? 0,
            statusText: response?.status_text ?? response?.error ?? "",
            headers: list(response?.headers),
            content: { size: response?.size ?? -1, mimeType: response?.mime ?? "" },
            redirectURL: "",
            bodySize: response?.size ?? -1,
          },
          cache: {},
          timings: { send: 0, wait: time, receive: 0 },
        };
      }),
    },
  };
}

/** The page as it shows now, as one HTML file without scripts. */
export async function pageAsHtml(player: Player): Promise<string> {
  const shown = player.stage.frame?.contentDocument;
  if (!shown?.documentElement) return "";
  const copy = shown.documentElement.cloneNode(true) as Element;
  for (const node of copy.querySelectorAll("script, iframe, frame, object, embed")) node.remove();
  for (const node of copy.querySelectorAll("style, link")) node.remove();
  const style = shown.createElement("style");
  style.textContent = shown.adoptedStyleSheets
    .map((sheet) => [...sheet.cssRules].map((rule) => rule.cssText).join("\n"))
    .join("\n");
  copy.querySelector("head")?.append(style);
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:">`;
  const html = `<!DOCTYPE html>\n${copy.outerHTML.replace(/(<head[^>]*>)/, `$1<meta charset="utf-8">${policy}`)}`;
  const addresses = new Map<string, string>();
  for (const [address] of html.matchAll(/blob:[^"')\s]+/g)) {
    const blob = player.resources.blobAt(address);
    if (blob && !addresses.has(address)) addresses.set(address, await dataUrl(blob));
  }
  return html.replace(/blob:[^"')\s]+/g, (address) => addresses.get(address) ?? "data:,");
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Lets the reader save a text as a file. */
export function save(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
