// A recording that is being made: dist/live.js, which stands in the page that `pagereel serve` shows of it, and in no file.

export { Feed } from "./feed.ts";
export { LiveIndicator } from "./live-indicator.tsx";
