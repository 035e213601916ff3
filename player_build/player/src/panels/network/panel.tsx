// The Network tab: requests with their headers, bodies and times.

import "./style.css";
import { useState } from "preact/hooks";
import { Fragment } from "preact/jsx-runtime";
import { getRequestEndTime, type NetworkEntry } from "../../history/story.ts";
import { formatCount, formatDuration } from "../../ui/format.ts";
import { formatBytes, shortenUrl } from "../shared/format.ts";
import { useUi, useUiValue } from "../../ui/hooks.ts";
import { NamedBlock, useScrollToCurrent } from "../shared/lists.tsx";
import { matchesFilter, FilterBar } from "../shared/filter.tsx";
import { loadScript } from "../../script-loading.ts";
import { SocketMessages } from "./messages.tsx";
import { type RequestBurst, groupIntoBursts, REQUEST_PHASES, computeRequestPhases } from "./waterfall.ts";

/** The list of requests with their phases, and the details of the one that is open. */
export function NetworkPanel() {
  const ui = useUi();
  const { player } = ui;
  const [filter, setFilter] = useState("");
  const [bad, setBad] = useState(false);
  const known = useUiValue(() => player.story.network.length);
  const passed = useUiValue(() => player.story.network.filter((entry) => entry.request.t <= player.time).length);
  const opened = useUiValue((_, of) => of.opened);
  const list = useScrollToCurrent<HTMLTableElement>(passed);
  if (!known) return <p class="empty">No requests were recorded.</p>;
  const rows = player.story.network.filter(
    (entry) =>
      (!bad || entry.failed) &&
      matchesFilter(
        filter,
        entry.request.method,
        entry.request.url,
        entry.request.type,
        entry.response?.status,
        entry.response?.mime,
      ),
  );
  const bursts = groupIntoBursts(rows);
  const sites = rows.map((entry) => siteOf(entry.request.url));
  // One that is not displayed (style/narrow.css) would take room if a row spanned it.
  const columns = Math.min(globalThis.innerWidth, globalThis.innerHeight) <= 480 ? 4 : 5;
  // Most addresses are of one site, whose name would take the room of what tells them apart.
  const own = mostOf(sites);
  return (
    <>
      <FilterBar
        label="Filter requests"
        filter={filter}
        onFilter={setFilter}
        only="Only failed"
        ticked={bad}
        onTick={setBad}
      />
      <table class="network" ref={list}>
        {rows.some(({ response }) => response?.timing) && (
          <caption>
            {REQUEST_PHASES.map((name) => (
              <Phase key={name} name={name} />
            ))}
          </caption>
        )}
        <thead>
          <tr>
            <th>Status</th>
            <th>Request</th>
            <th class="number">Size</th>
            <th class="number">Took</th>
            <th class="waterfall">Waterfall</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((entry, row) => {
            const { request, response, index } = entry;
            const burst = bursts[row] as RequestBurst;
            const open = opened === index + 1;
            return (
              <Fragment key={index}>
                {/* The keyboard has the button within, whose click comes up to here. */}
                <tr
                  class={`${entry.failed ? "failed" : ""} ${index >= passed ? "later" : ""} ${open ? "open" : ""} ${row && burst !== bursts[row - 1] ? "burst" : ""}`}
                  aria-current={index === passed - 1 || undefined}
                  onClick={() => {
                    ui.set({ opened: open ? 0 : index + 1 });
                    void player.seek(request.t);
                  }}
                >
                  <td title={String(response?.error ?? response?.status_text ?? "")}>
                    {response?.error ? (entry.failed ? "failed" : "given up") : String(response?.status ?? "\u2026")}
                  </td>
                  <td class="text">
                    <button type="button" title={String(request.url)} aria-expanded={open}>
                      <b>{String(request.method)}</b>{" "}
                      <span class="path">
                        <bdi>{sites[row] === own ? pathOf(request.url) : shortenUrl(String(request.url))}</bdi>
                      </span>{" "}
                      <small>
                        {String(request.type ?? "")}
                        {entry.messages.length > 0 && ` \u00b7 ${formatCount(entry.messages.length, "message")}`}
                      </small>
                    </button>
                  </td>
                  <td class="number">{typeof response?.size === "number" ? formatBytes(response.size) : ""}</td>
                  <td class="number">{response ? formatDuration(getRequestEndTime(entry) - request.t) : ""}</td>
                  <td class="waterfall">
                    <Phases entry={entry} burst={burst} />
                  </td>
                </tr>
                {open && (
                  <tr class="opened">
                    <td colSpan={columns}>
                      <Detail entry={entry} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

function Detail({ entry }: { entry: NetworkEntry }) {
  const ui = useUi();
  const { request, response } = entry;
  const post = useUiValue((of) => of.resources.body(request.post));
  const body = useUiValue((of) => of.resources.body(response?.body));
  const alone = { from: request.t, to: getRequestEndTime(entry) };
  const phases = computeRequestPhases(entry, alone).filter(({ name }) => name);
  const answer = entry.messages.length ? null : body !== undefined ? (
    <NamedBlock name="Body">{body}</NamedBlock>
  ) : (
    <p>
      <small>{response?.why ? `The body was not kept: ${response.why}.` : "The body is not in this file."}</small>
    </p>
  );
  return (
    <div class="detail">
      <p class="address">{String(request.url)}</p>
      {Boolean(response?.error) && <p class="outcome failed">{String(response?.error)}</p>}
      {entry.failed && answer}
      <p>
        <button
          type="button"
          class="plain"
          onClick={() =>
            void navigator.clipboard
              ?.writeText(loadScript("export").formatAsCurl?.(request, post) ?? "")
              .then(() => ui.say("Copied as cURL"))
              .catch(() => ui.say("The browser does not allow copying"))
          }
        >
          Copy as cURL
        </button>
      </p>
      {phases.length > 0 && (
        <>
          <Phases entry={entry} burst={alone} />
          <p>
            {phases.map(({ name, ms }) => (
              <Phase key={name} name={name} took={ms < 1 ? "<1 ms" : formatDuration(ms)} />
            ))}
          </p>
        </>
      )}
      {post !== undefined && <NamedBlock name="Sent">{post}</NamedBlock>}
      {entry.messages.length > 0 && <SocketMessages events={entry.messages} />}
      <NamedBlock name="Request headers">{headers(request.headers)}</NamedBlock>
      {response && <NamedBlock name="Response headers">{headers(response.headers)}</NamedBlock>}
      {!entry.failed && answer}
    </div>
  );
}

/** Return the text that stands most often in a list. */
function mostOf(texts: readonly string[]): string | undefined {
  const often = new Map<string, number>();
  for (const text of texts) often.set(text, (often.get(text) ?? 0) + 1);
  return [...often].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function siteOf(url: unknown): string {
  return shortenUrl(String(url)).split("/", 1)[0] as string;
}

function pathOf(url: unknown): string {
  const text = shortenUrl(String(url));
  return text.slice(text.indexOf("/"));
}

/** A request's time, its phases told apart. */
function Phases({ entry, burst }: { entry: NetworkEntry; burst: RequestBurst }) {
  return (
    <span class="phases">
      {computeRequestPhases(entry, burst).map(({ name, left, width }) => (
        <i key={name} class={name} style={{ left: `${left * 100}%`, width: `${width * 100}%` }} />
      ))}
    </span>
  );
}

/** The name of a phase, with its colour and how long it took. */
function Phase({ name, took }: { name: string; took?: string }) {
  return (
    <small class="phase">
      <i class={name} /> {name} {took}
    </small>
  );
}

function headers(value: unknown): string {
  return Object.entries((value ?? {}) as Record<string, string>)
    .map(([name, text]) => `${name}: ${text}`)
    .join("\n");
}
