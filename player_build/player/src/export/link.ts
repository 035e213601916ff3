// The moment as an address, or as words that find it again.

import { decodePercentEncoding } from "../url-fragment.ts";
import { formatClockTime } from "../ui/format.ts";

/**
 * Returns the URL fragment for a time (ms). It includes the page (tab) that the reader chose, if any, and in a
 * suite's file the test and its run.
 */
export function buildMomentFragment(t: number, page: number): string {
  const [, asked = ""] = location.href.split("#");
  const test = asked.replace(/(^|&)(?!test=|run=)[^&]*/g, ""); // Of a suite: what the moment is one of.
  return `#${test && `${test}&`}t=${Math.round(t)}${page ? `&page=${page}` : ""}`;
}

/**
 * Returns a link to a time (ms). For a file on this disk it has only the file's name, because its folder is useless
 * to others, and the time in words.
 */
export function buildMomentLink(t: number, page: number): string {
  const [here = ""] = location.href.split("#");
  const fragment = buildMomentFragment(t, page);
  if (location.protocol !== "file:") return here + fragment;
  return `${decodePercentEncoding(here.split("/").pop() ?? "")}${fragment} (at ${formatClockTime(t)})`;
}
