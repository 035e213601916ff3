// What a page can find out about the world that it runs in, and how it breaks that world. Loaded in every frame.
{
  const names = Object.getOwnPropertyNames;
  const symbols = Object.getOwnPropertySymbols;
  const describe = Object.getOwnPropertyDescriptor;
  const proto = Object.getPrototypeOf;
  const source = Function.prototype.toString;
  let heard = "";
  const add = EventTarget.prototype.addEventListener;
  const Observer = window.MutationObserver;

  /** Lines that must be equal with and without a recorder. */
  window.look = () => {
    const lines = [];
    const seen = new Set();
    const own = (object) => [...names(object).filter((name) => !/^\d+$/.test(name)), ...symbols(object).map(String)].sort();
    const visit = (path, object, deep) => {
      if ((typeof object !== "object" && typeof object !== "function") || object === null || seen.has(object)) return;
      seen.add(object);
      lines.push(`${path}: ${own(object)}`);
      for (const name of names(object).sort()) {
        const found = describe(object, name);
        for (const side of ["value", "get", "set"]) {
          const f = found[side];
          if (typeof f === "function") lines.push(`${path}.${name} ${side} ${f.name} ${f.length} ${source.call(f).slice(0, 300)} ${own(f)}`);
        }
        if (deep && typeof found.value === "function") visit(`${path}.${name}.prototype`, found.value.prototype, false);
      }
    };
    visit("window", window, true);
    for (const name of ["document", "navigator", "screen", "history", "location", "performance", "customElements", "visualViewport"]) {
      let object = window[name];
      for (let step = 0; object && step < 4; step++, object = proto(object)) visit(`${name}^${step}`, object, false);
    }
    for (const name of ["Reflect", "Math", "JSON", "Atomics", "Intl", "CSS", "WebAssembly", "console"]) visit(name, window[name], false);
    const tree = (node, path) => {
      const attributes = node.attributes ? [...node.attributes].map((a) => `${a.name}=${a.value}`) : "";
      lines.push(`${path} ${node.nodeName} ${own(node)} ${attributes} ${node.nodeType === 3 ? node.data : ""}`);
      if (node.shadowRoot) tree(node.shadowRoot, `${path}#`);
      [...node.childNodes].forEach((child, place) => tree(child, `${path}/${place}`));
    };
    tree(document, "");
    lines.push(`sheets ${document.styleSheets.length} adopted ${document.adoptedStyleSheets.length} animations ${document.getAnimations().length}`);
    for (const store of [() => document.cookie, () => Object.keys(localStorage), () => Object.keys(sessionStorage)]) {
      try {
        lines.push(`stored ${store()}`);
      } catch (error) {
        lines.push(`not stored ${error}`);
      }
    }
    lines.push(`fetched ${performance.getEntriesByType("resource").map((entry) => entry.name).sort()}`);
    lines.push(`marked ${performance.getEntriesByType("mark").length + performance.getEntriesByType("measure").length}`);
    lines.push(`errors ${typeof Error.prepareStackTrace} ${Error.stackTraceLimit} listeners ${heard}`);
    const blank = document.body.appendChild(document.createElement("iframe"));
    lines.push(`blank ${own(blank.contentWindow)} ${own(blank.contentDocument)}`);
    blank.remove();
    return lines;
  };

  // Whoever adds a listener or an observer in this world is heard.
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    heard += `${type} `;
    return add.call(this, type, ...rest);
  };
  window.MutationObserver = class extends Observer {
    constructor(...rest) {
      super(...rest);
      heard += "observer ";
    }
  };

  /** Replaces what a recorder would lean on, then calls every global with garbage. Gives the number of calls. */
  window.sabotage = () => {
    const button = document.querySelector("button");
    const stage = document.querySelector("#stage");
    const make = document.createElement.bind(document);
    const append = stage.appendChild.bind(stage);
    button.onclick = () => {
      const line = make("p");
      line.title = "clicked";
      line.innerHTML = "clicked";
      append(line);
    };
    // What would end the run, or go on for ever.
    const spared = /^(alert|confirm|prompt|print|open|close|stop|find|eval|look|sabotage|setInterval|show.*|query.*|getScreenDetails|navigat.*)$/;
    const victims = names(window).filter((name) => !spared.test(name) && typeof describe(window, name).value === "function");
    const garbage = [undefined, null, "garbage", '{"doc":"x","b":0,"e":[{"k":"mutation"}]}', 7, {}];
    const boom = () => {
      throw "broken on purpose";
    };
    const types = [Map, Set, WeakMap, WeakRef, Promise, String, RegExp, Node, Element, Document, CSSStyleSheet, Range, EventTarget, Array];
    const methods = types.map((type) => names(type.prototype).filter((name) => name !== "constructor" && typeof describe(type.prototype, name).value === "function"));
    for (const [type, name] of [[Node, "childNodes"], [Node, "parentNode"], [Node, "textContent"], [Element, "attributes"], [HTMLInputElement, "value"], [CharacterData, "data"]]) {
      Object.defineProperty(type.prototype, name, { get: boom, configurable: true });
    }
    Object.defineProperty(Object.prototype, "k", { get: () => "polluted", set() {}, configurable: true });
    Object.defineProperty(Object.prototype, "ops", { get: () => "polluted", set() {}, configurable: true });
    JSON.stringify = () => "garbage";
    JSON.parse = boom;
    window.MutationObserver = boom;
    Observer.prototype.observe = boom;
    Observer.prototype.takeRecords = () => [];
    performance.now = () => -1;
    Date.now = () => NaN;
    window.setTimeout = boom;
    window.requestAnimationFrame = boom;
    for (let n = 0; n < types.length; n++) for (let m = 0; m < methods[n].length; m++) types[n].prototype[methods[n][m]] = boom;
    let called = 0;
    for (let n = 0; n < victims.length; n++) {
      const f = window[victims[n]];
      for (let m = 0; m < garbage.length; m++, called++) {
        try {
          f(garbage[m]);
        } catch {
          // It said no.
        }
      }
    }
    button.title = `called ${called > 1000}`;
    return called;
  };
  window.first = window.look();
}
