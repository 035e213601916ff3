import "./style.css";
import { useState } from "preact/hooks";
import { Fragment } from "preact/jsx-runtime";
import { endOf, type NetworkEntry } from "../../history/story.ts";
import { clockTime, count, span } from "../../ui/format.ts";
import { bytes, shortUrl } from "../shared/format.ts";
import { useDesk, useValue } from "../../ui/hooks.ts";
import { Block, useFollow } from "../shared/lists.tsx";
import { fits, Tools } from "../shared/filter.tsx";
import { need } from "../../need.ts";
import { Messages } from "./messages.tsx";

export function NetworkPanel() {
  const desk = useDesk();
  const { player } = desk;
  const [filter, setFilter] = useState("");
  const [bad, setBad] = useState(false);
  const known = useValue(() => player.story.network.length);
  const passed = useValue(() => player.story.network.filter((entry) => entry.request.t <= player.time).length);
  const opened = useValue((_, of) => of.opened);
  const list = useFollow<HTMLTableElement>(passed);
  if (!known) return <p class="empty">No requests were recorded.</p>;
  const rows = player.story.network.filter(
    (entry) =>
      (!bad || entry.failed) &&
      fits(
        filter,
        entry.request.method,
        entry.request.url,
        entry.request.type,
        entry.response?.status,
        entry.response?.mime,
      ),
  );
  const from = rows[0]?.request.t ?? 0;
  const length = Math.max(1, ...rows.map((entry) => endOf(entry) - from));
  return (
    <>
      <Tools
        label="Filter requests"
        filter={filter}
        onFilter={setFilter}
        only="Only failed"
        ticked={bad}
        onTick={setBad}
      />
      <table class="network" ref={list}>
        <thead>
          <tr>
            <th>Status</th>
            <th>Request</th>
            <th class="number">Size</th>
            <th class="waterfall">Took</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => {
            const { request, response, index } = entry;
            const open = opened === index + 1;
            return (
              <Fragment key={index}>
                <tr
                  class={`${entry.failed ? "failed" : ""} ${index >= passed ? "later" : ""} ${open ? "open" : ""}`}
                  aria-current={index === passed - 1 || undefined}
                >
                  <td title={String(response?.error ?? response?.status_text ?? "")}>
                    {response?.error ? (entry.failed ? "failed" : "given up") : String(response?.status ?? "\u2026")}
                  </td>
                  <td class="text">
                    <button
                      type="button"
                      title={String(request.url)}
                      aria-expanded={open}
                      onClick={() => {
                        desk.set({ opened: open ? 0 : index + 1 });
                        void player.seek(request.t);
                      }}
                    >
                      <b>{String(request.method)}</b> {shortUrl(String(request.url))}{" "}
                      <small>
                        {String(request.type ?? "")}
                        {entry.messages.length > 0 && ` \u00b7 ${count(entry.messages.length, "message")}`}
                      </small>
                    </button>
                  </td>
                  <td class="number">{typeof response?.size === "number" ? bytes(response.size) : ""}</td>
                  <td class="waterfall" title={`begins at ${clockTime(request.t)}`}>
                    <span>{response ? span(endOf(entry) - request.t) : ""}</span>
                    <i
                      style={{
                        left: `${((request.t - from) / length) * 100}%`,
                        width: `${((endOf(entry) - request.t) / length) * 100}%`,
                      }}
                    />
                  </td>
                </tr>
                {open && (
                  <tr class="opened">
                    <td colSpan={4}>
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
  const desk = useDesk();
  const { request, response } = entry;
  const post = useValue((of) => of.resources.body(request.post));
  const body = useValue((of) => of.resources.body(response?.body));
  const phases = Object.entries((response?.timing ?? {}) as Record<string, number>);
  return (
    <div class="detail">
      <p class="address">{String(request.url)}</p>
      {Boolean(response?.error) && <p class="outcome failed">{String(response?.error)}</p>}
      <p>
        <button
          type="button"
          class="plain"
          onClick={() =>
            void navigator.clipboard
              ?.writeText(need("take").asCurl?.(request, post) ?? "")
              .then(() => desk.say("Copied as cURL"))
              .catch(() => desk.say("The browser does not allow copying"))
          }
        >
          Copy as cURL
        </button>
      </p>
      {phases.length > 0 && (
        <p>
          <small>{phases.map(([name, ms]) => `${name} ${span(ms)}`).join(" \u00b7 ")}</small>
        </p>
      )}
      {post !== undefined && <Block name="Sent">{post}</Block>}
      {entry.messages.length > 0 && <Messages events={entry.messages} />}
      <Block name="Request headers">{headers(request.headers)}</Block>
      {response && <Block name="Response headers">{headers(response.headers)}</Block>}
      {entry.messages.length ? null : body !== undefined ? (
        <Block name="Body">{body}</Block>
      ) : (
        <p>
          <small>{response?.why ? `The body was not kept: ${response.why}.` : "The body is not in this file."}</small>
        </p>
      )}
    </div>
  );
}

function headers(value: unknown): string {
  return Object.entries((value ?? {}) as Record<string, string>)
    .map(([name, text]) => `${name}: ${text}`)
    .join("\n");
}
