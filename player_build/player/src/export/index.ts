// What a reader copies, saves or prints: dist/export.js, which stands in the file beside the player and is run when it is asked for (script-loading.ts).

export { copyLink, copyMarkdown } from "./copy.ts";
export { ExportDialog } from "./dialog.tsx";
export { exportPageAsPicture } from "./page.ts";
export { addPrintedReport, printReport, removePrintedReport } from "./report.ts";
export { StaticPageView } from "./static-page-view.ts";
export { formatAsCurl } from "./text-exports.ts";
