// The recording's requests as HAR 1.2.

import { getRequestEndTime } from "../history/story.ts";
import type { Player } from "../player.ts";

/** Returns the recorded network requests as HTTP Archive 1.2. */
export function buildHar(player: Player): object {
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
        const time = Math.max(0, getRequestEndTime(entry) - request.t);
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
