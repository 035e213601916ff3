// What a reader takes along: dist/take.js, which stands in the file beside the player and is run when it is asked for (need.ts).

export { copyLink, copyMarkdown } from "./copy.ts";
export { Take } from "./dialog.tsx";
export { beginReport, printReport, removeReport } from "./report.ts";
export { asCurl } from "./texts.ts";
