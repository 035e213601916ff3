// A console message as lines and as one text.

import type { PlayerEvent } from "../decode/events.ts";
import { toReadableText } from "../ui/format.ts";

/** Returns the level and text of a console entry: a message, an uncaught error, a dialog or a download. */
export function getConsoleLine(entry: PlayerEvent): { level: string; text: string } {
  if (entry.k === "error") return { level: "error", text: toReadableText(entry.stack ?? entry.message) };
  if (entry.k === "dialog") return { level: "dialog", text: `${entry.type}: ${entry.message}` };
  if (entry.k === "download") return { level: "download", text: String(entry.filename) };
  return { level: String(entry.level ?? "log"), text: toReadableText(entry.text) };
}
