// The moment as an address, or as words that find it again.

import { decode } from "../fragment.ts";
import { clockTime } from "../ui/format.ts";

/** The fragment of a moment; with the page (tab) that the reader chose, if any, and in the file of a suite with the test and its run. */
export function momentFragment(t: number, page: number): string {
  const [, asked = ""] = location.href.split("#");
  const test = asked.replace(/(^|&)(?!test=|run=)[^&]*/g, ""); // Of a suite: what the moment is one of.
  return `#${test && `${test}&`}t=${Math.round(t)}${page ? `&page=${page}` : ""}`;
}

/** The address of a moment. A folder of this disk is of no use to others: of a file it is the name, with the moment as a person reads it. */
export function momentLink(t: number, page: number): string {
  const [here = ""] = location.href.split("#");
  const fragment = momentFragment(t, page);
  if (location.protocol !== "file:") return here + fragment;
  return `${decode(here.split("/").pop() ?? "")}${fragment} (at ${clockTime(t)})`;
}
