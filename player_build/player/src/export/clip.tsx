// A part of the run as a file of its own: the command that makes it. What lies outside the part must be gone from every layer of that file, and the
// masks checked anew, which is the work of `pagereel build`.

import { useState } from "preact/hooks";
import { decodePercentEncoding } from "../url-fragment.ts";
import type { Player } from "../player.ts";
import { useUi } from "../ui/hooks.ts";
import { copyText } from "./copy.ts";

/** Returns the `pagereel build` command that builds the clip from `from` to `to` (ms). */
export function buildClipCommand(file: string, from: number, to: number): string {
  const quoted = (text: string): string => (/^[\w./#=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const part = file.replace(/(?:\.html?)?(?:#.*)?$/i, "-part.html");
  return `pagereel build ${quoted(file)} ${quoted(part)} --clip --from ${Math.round(from)} --to ${Math.round(to)}`;
}

/** The step that shows, or else the whole run. */
function partOf({ story, time, duration }: Player): [from: number, to: number] {
  const step = story.stepAt(time);
  return step ? [step.time, Math.min(step.time + step.duration, duration)] : [0, duration];
}

/** The form for the begin and end of a clip; its button copies the command that builds the clip. */
export function ClipForm() {
  const ui = useUi();
  const [part, setPart] = useState(() => partOf(ui.player));
  const [path = "", fragment = ""] = location.href.split("#");
  const test = /(?:^|&)(test=[^&]*)/.exec(fragment)?.[1];
  const file = `${decodePercentEncoding(path.split("/").pop() || "replay.html")}${test ? `#${decodePercentEncoding(test)}` : ""}`;
  const bound = (index: 0 | 1, label: string) => (
    <input
      type="number"
      aria-label={label}
      step="any"
      style="width:6em"
      value={Math.round(part[index]) / 1000}
      onInput={({ currentTarget: { valueAsNumber: s } }) =>
        Number.isFinite(s) && setPart(index ? [part[0], s * 1000] : [s * 1000, part[1]])
      }
    />
  );
  return (
    <div>
      {/* No form: a host's sandbox would refuse to send it. */}
      <button
        type="button"
        disabled={part[1] <= part[0]}
        onClick={() => copyText(ui, "Command", buildClipCommand(file, ...part))}
      >
        <b>Copy a command</b> <small>that makes a file of this part alone</small>
      </button>
      <small style="padding:0 10px">
        from {bound(0, "From, s")} to {bound(1, "To, s")} s
      </small>
    </div>
  );
}
