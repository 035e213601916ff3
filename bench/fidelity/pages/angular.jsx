// Angular, compiled in the page: scoped style sheets, projection, pipes, structural blocks.
import "@angular/compiler";
import { Component, provideZonelessChangeDetection, signal, ViewEncapsulation } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";

class Card {}
Component({ selector: "kiln-card", inputs: ["heading"], encapsulation: ViewEncapsulation.ShadowDom, styles: ["h2 { color: crimson; margin: 4px }", ":host { display: block; border: 1px solid #abc }"], template: "<h2>{{ heading }}</h2><ng-content></ng-content>" })(Card);

class Root {
  list = signal([1, 2, 3, 4]);
  on = signal(false);
  text = signal("");
}
Component({
  selector: "kiln-root", imports: [Card], styles: ["li { padding: 2px } .even { background: gold }"],
  template: `<h1>{{ list().length }} pots</h1><input [value]="text()"><ul>@for (n of list(); track n) {<li [class.even]="n % 2 === 0">pot {{ n }}</li>} @empty {<li>none</li>}</ul>
  @if (on()) {<kiln-card heading="Shown"><b>projected {{ text() }}</b></kiln-card>} @else {<p>off</p>}`,
})(Root);

const host = document.createElement("kiln-root");
document.getElementById("app").append(host);
const rest = () => new Promise((done) => setTimeout(done, 250));
bootstrapApplication(Root, { providers: [provideZonelessChangeDetection()] }).then((app) => {
  const root = app.components[0].instance;
  window.marks = {
    shuffled: async () => { root.list.set([4, 2, 1, 3]); await rest(); },
    shown: async () => { root.on.set(true); root.text.set("typed"); await rest(); },
    empty: async () => { root.list.set([]); await rest(); },
    grown: async () => { root.on.set(false); root.list.set(Array.from({ length: 40 }, (_, i) => i)); await rest(); },
  };
});
