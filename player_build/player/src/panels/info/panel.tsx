// The Info tab: what was recorded, how exact the replay is, what was masked.

import "./style.css";
import {
  describeFidelity,
  formatClockTime,
  formatCount,
  describeImport,
  describeFidelityLayers,
  toReadableText,
  formatDuration,
} from "../../ui/format.ts";
import { formatBytes } from "../shared/format.ts";
import type { PlayerEvent } from "../../decode/events.ts";
import { usePlayer, useUiValue } from "../../ui/hooks.ts";
import { NamedBlock } from "../shared/lists.tsx";
import { formatRedactionReport } from "./redaction.ts";

/** The table of facts about the recording, its redaction and its fidelity. */
export function InfoPanel() {
  const player = usePlayer();
  const { info, title, duration } = player.index;
  const versions = useUiValue(({ story }) => versionsOf(story.items.map(({ event }) => event)));
  const rows: Array<readonly [string, string]> = [
    ["Agent", info.agent ?? ""],
    ["Tenant", info.tenant ?? ""],
    ["User", info.user ?? ""],
    ["Trace", info.trace ?? ""],
    ["Recorded", info.started ? new Date(info.started).toLocaleString() : ""],
    ["Outcome", info.outcome?.told ?? ""],
    ["Versions", versions],
    ["Length", formatDuration(duration)],
    ["Browser", [info.browser?.name, info.browser?.version].filter(Boolean).join(" ")],
    ["Recorder", [info.recorder?.name, info.recorder?.version].filter(Boolean).join(" ")],
    ["Platform", [info.platform, info.python && `Python ${info.python}`].filter(Boolean).join(", ")],
    [
      "Recording",
      info.damage
        ? `damaged: ${info.damage}`
        : info.sealed
          ? "complete"
          : "incomplete: it was cut off; everything before that plays",
    ],
    [
      "Replay",
      describeImport(info)
        ? `${describeImport(info)}: pagereel did not see the page, and nothing says how true the replay is`
        : info.fidelity.tree.total
          ? `${describeFidelity(info.fidelity)}. ${describeFidelityLayers(info.fidelity)}`
          : "no checkpoints",
    ],
    [
      "Same page",
      info.samePage
        ? `${info.samePage.equal} of ${info.samePage.of} moments look like the raw page but for the texts`
        : info.redaction
          ? "not checked against the raw page"
          : "",
    ],
    [
      "Met late",
      info.late?.count ? `${formatCount(info.late.count, "document")}, by ${formatDuration(info.late.ms)} at most` : "",
    ],
    ["Not recorded", info.gapCount ? formatCount(info.gapCount, "gap") : "no gaps"],
    [
      "Sizes",
      `${formatBytes(info.sizes.events)} of events, ${formatBytes(info.sizes.resources)} of resources; the recording ${formatBytes(info.sizes.reel)}`,
    ],
  ];
  return (
    <div class="info">
      <h2>{title}</h2>
      <dl>
        {rows.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {info.metadata !== null && info.metadata !== undefined && Object.keys(info.metadata).length > 0 && (
        <NamedBlock name="Metadata">{toReadableText(info.metadata)}</NamedBlock>
      )}
      {info.parts && (
        <NamedBlock name="Parts, each a recording of its own">
          {info.parts
            .map(
              ({ agent, t, end, by, moved }) =>
                `${agent}: ${formatClockTime(t)} to ${formatClockTime(end)}, placed ${by === "trace" ? "by the trace" : "by its machine's clock"}${moved ? `, ${formatDuration(moved)} later than its clock says` : ""}`,
            )
            .join("\n")}
        </NamedBlock>
      )}
      {info.gaps.length > 0 && (
        <>
          <h2 class="label">Gaps</h2>
          <ul class="rows">
            {info.gaps.map((gap, index) => (
              <li key={index} class="row">
                <button type="button" onClick={() => void player.seek(gap.t)}>
                  <span class="when">{formatClockTime(gap.t)}</span>
                  <span class="kind">{gap.reason}</span>
                  <span class="text">{gap.detail ?? ""}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {info.leftOut && Object.keys(info.leftOut).length > 0 && (
        <NamedBlock name="Left out to keep the file small">
          {Object.entries(info.leftOut)
            .map(([kind, out]) => `${kind}: ${out.count}, ${formatBytes(out.bytes)}`)
            .join("\n")}
        </NamedBlock>
      )}
      {Object.keys(info.unsupported).length > 0 && (
        <NamedBlock name="Not supported on this page">{toReadableText(info.unsupported)}</NamedBlock>
      )}
      {info.fidelity.differences && (
        <NamedBlock name="Falls short">{toReadableText(info.fidelity.differences.join("\n"))}</NamedBlock>
      )}
      {info.samePage && info.samePage.differences.length > 0 && (
        <NamedBlock name="The masked page differs from the raw one">
          {info.samePage.differences
            .map(
              ({ t, frame, element, what }) =>
                `${formatClockTime(t)}${frame ? ` frame ${frame}` : ""} ${element}: ${what}`,
            )
            .join("\n")}
        </NamedBlock>
      )}
      {info.missing.length > 0 && (
        <NamedBlock name="Shown without their bytes">{toReadableText(info.missing.join("\n"))}</NamedBlock>
      )}
      {player.troubles.size > 0 && (
        <NamedBlock name="Not shown as it was recorded">{toReadableText([...player.troubles].join("\n"))}</NamedBlock>
      )}
      {info.redaction ? (
        <NamedBlock name="Redaction">{formatRedactionReport(info.redaction)}</NamedBlock>
      ) : (
        <p class="warn">Not redacted: this file shows what was recorded as it was recorded.</p>
      )}
    </div>
  );
}

/** `prompt=v1, tools=9f86d081`: each by the name that people gave it, else by its text if it is a short one, else by its hash. */
function versionsOf(events: readonly PlayerEvent[]): string {
  const told = events.flatMap(({ k, what, name, value, sha256 }) => {
    if (k !== "version") return [];
    const short = typeof value === "string" && /^\S{1,40}$/.test(value) ? value : String(sha256).slice(0, 8);
    return [`${what}=${name ?? short}`];
  });
  return [...new Set(told)].join(", ");
}
