// What a reader copies, saves or prints: dist/export.js, which stands in the file beside the player and is run when it is asked for (scripts.ts).

export { copyLink, copyMarkdown } from "./copy.ts";
export { ExportDialog } from "./dialog.tsx";
export { pageAsPicture } from "./page.ts";
export { makeReport, printReport, removeReport } from "./report.ts";
export { StillPage } from "./still.ts";
export { asCurl } from "./texts.ts";
