// What is seldom wanted and large: dist/take.js, which stands in the file beside the player and is run when it is asked for (need.ts).

export { asHar } from "./har.ts";
export { pageAsHtml, pageAsPicture } from "./page.ts";
