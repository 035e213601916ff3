// Lit components: adopted sheets shared between open roots, slots, directives.
import { css, html, LitElement } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { styleMap } from "lit/directives/style-map.js";
import { unsafeHTML } from "lit/directives/unsafe-html.js";

const shared = css`:host { display: block; margin: 4px; padding: 4px; border: 1px solid var(--line, #abc); } ::slotted(b) { color: crimson; } .on { background: gold; }`;
class LitCard extends LitElement {
  static styles = [shared, css`p { margin: 2px; }`];
  static properties = { title: {}, on: { type: Boolean, reflect: true } };
  render() { return html`<p class=${this.on ? "on" : ""}>${this.title}</p><slot></slot><slot name="foot">no foot</slot>`; }
}
customElements.define("lit-card", LitCard);
class LitApp extends LitElement {
  static styles = shared;
  static properties = { items: { state: true }, extra: { state: true }, wide: { state: true } };
  constructor() { super(); this.items = ["a", "b", "c", "d"]; this.extra = ""; this.wide = false; }
  render() {
    return html`<input .value=${this.extra} ?disabled=${this.wide}><div style=${styleMap({ width: this.wide ? "600px" : "300px" })}>${repeat(this.items, (i) => i, (i) => html`<lit-card .title=${`card ${i}`} ?on=${i === "b"}><b>${i}</b>${this.wide ? html`<u slot="foot">foot ${i}</u>` : ""}</lit-card>`)}</div>${unsafeHTML(this.extra && `<em>${this.extra}</em>`)}`;
  }
}
customElements.define("lit-app", LitApp);
const app = document.createElement("lit-app");
document.getElementById("app").append(app);
const set = (more) => { Object.assign(app, more); return app.updateComplete; };
window.marks = {
  reversed: () => set({ items: ["d", "c", "b", "a"] }),
  wide: () => set({ wide: true }),
  raw: () => set({ extra: "typed & raw" }),
  sheet: () => { LitCard.elementStyles[1].styleSheet.insertRule("p { color: teal; letter-spacing: 2px }"); },
  fewer: () => set({ items: ["b", "x"], wide: false }),
};
