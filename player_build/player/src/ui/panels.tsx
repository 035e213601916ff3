import { clockTime, bytes, count, readable, span } from "./format.ts";
import { usePlayer, useValue } from "./hooks.ts";
import type { NetworkEntry } from "../history/story.ts";

export function ConsolePanel() {
  const player = usePlayer();
  const known = useValue((of) => of.story.console.length);
  const passed = useValue((of) => of.story.console.filter((entry) => entry.t <= of.time).length);
  if (!known) return <p class="empty">The page wrote nothing to the console.</p>;
  return (
    <ul class="rows">
      {player.story.console.map((entry, index) => {
        const level = entry.k === "error" ? "error" : entry.k === "dialog" ? "dialog" : String(entry.level ?? "log");
        const text =
          entry.k === "console"
            ? entry.text
            : entry.k === "dialog"
              ? `${entry.type}: ${entry.message}`
              : (entry.stack ?? entry.message);
        return (
          <li key={index} class={`row ${level} ${index >= passed ? "later" : ""}`}>
            <button type="button" onClick={() => void player.seek(entry.t)}>
              <span class="when">{clockTime(entry.t)}</span>
              <span class="kind">{level}</span>
              <span class="text">{readable(text)}</span>
              {Boolean(entry.url) && entry.k === "console" && (
                <small>
                  {fileName(String(entry.url))}
                  {entry.line ? `:${entry.line}` : ""}
                </small>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

export function failedRequest({ response }: NetworkEntry): boolean {
  return Boolean(response?.error) || Number(response?.status ?? 0) >= 400;
}

export function NetworkPanel() {
  const player = usePlayer();
  const known = useValue((of) => of.story.network.length);
  const passed = useValue((of) => of.story.network.filter((entry) => entry.request.t <= of.time).length);
  if (!known) return <p class="empty">No requests were recorded.</p>;
  return (
    <table class="network">
      <thead>
        <tr>
          <th>Time</th>
          <th>Status</th>
          <th>Request</th>
          <th class="number">Size</th>
          <th class="number">Took</th>
        </tr>
      </thead>
      <tbody>
        {player.story.network.map((entry, index) => {
          const { request, response } = entry;
          const end = Number(response?.end ?? response?.t ?? Number.NaN);
          return (
            <tr key={index} class={`${failedRequest(entry) ? "failed" : ""} ${index >= passed ? "later" : ""}`}>
              <td class="when">{clockTime(request.t)}</td>
              <td>{String(response?.error ?? response?.status ?? "\u2026")}</td>
              <td class="text">
                <button type="button" title={String(request.url)} onClick={() => void player.seek(request.t)}>
                  <b>{String(request.method)}</b> {fileName(String(request.url))}{" "}
                  <small>{String(request.type ?? "")}</small>
                </button>
              </td>
              <td class="number">{typeof response?.size === "number" ? bytes(response.size) : ""}</td>
              <td class="number">{Number.isFinite(end) ? span(Math.max(0, end - request.t)) : ""}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function InfoPanel() {
  const player = usePlayer();
  const { info, title, duration } = player.index;
  const rows: Array<readonly [string, string]> = [
    ["Agent", info.agent ?? ""],
    ["Recorded", info.started ? new Date(info.started).toLocaleString() : ""],
    ["Length", span(duration)],
    ["Browser", [info.browser?.name, info.browser?.version].filter(Boolean).join(" ")],
    ["Recorder", [info.recorder?.name, info.recorder?.version].filter(Boolean).join(" ")],
    ["Platform", [info.platform, info.python && `Python ${info.python}`].filter(Boolean).join(", ")],
    [
      "Recording",
      info.damage
        ? `damaged: ${info.damage}`
        : info.sealed
          ? "complete and sealed"
          : "not sealed: it was cut off; everything before that plays",
    ],
    [
      "Fidelity",
      info.fidelity.total
        ? `${info.fidelity.equal} of ${count(info.fidelity.total, "checkpoint")} equal`
        : "no checkpoints",
    ],
    ["Not recorded", info.gapCount ? count(info.gapCount, "gap") : "no gaps"],
    [
      "Sizes",
      `${bytes(info.sizes.events)} of events, ${bytes(info.sizes.resources)} of resources; the recording ${bytes(info.sizes.reel)}`,
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
        <Block name="Metadata" value={info.metadata} />
      )}
      {info.gaps.length > 0 && (
        <>
          <h3>Gaps</h3>
          <ul class="rows">
            {info.gaps.map((gap, index) => (
              <li key={index} class="row">
                <button type="button" onClick={() => void player.seek(gap.t)}>
                  <span class="when">{clockTime(gap.t)}</span>
                  <span class="kind">{gap.reason}</span>
                  <span class="text">{gap.detail ?? ""}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {Object.keys(info.unsupported).length > 0 && <Block name="Not supported on this page" value={info.unsupported} />}
      {info.missing.length > 0 && <Block name="Shown without their bytes" value={info.missing.join("\n")} />}
      {info.redaction ? (
        <Block name="Redaction" value={info.redaction} />
      ) : (
        <p class="warn">Not redacted: this file shows what was recorded as it was recorded.</p>
      )}
    </div>
  );
}

function Block({ name, value }: { name: string; value: unknown }) {
  return (
    <>
      <h3>{name}</h3>
      <pre>{readable(value)}</pre>
    </>
  );
}

function fileName(url: string): string {
  try {
    const parsed = new URL(url);
    return parsed.host + parsed.pathname;
  } catch {
    return url;
  }
}
