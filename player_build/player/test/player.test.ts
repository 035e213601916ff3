import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../src/clock/clock.ts";
import { EMPTY_URL, Resources } from "../src/decode/resources.ts";
import { parseUrlFragment } from "../src/url-fragment.ts";
import { getCanonicalTag } from "../src/state/node.ts";
import { createTree } from "../src/state/tree.ts";
import {
  allowsPaintedValue,
  chooseAttributeTreatment,
  parseUrlScheme,
  removeCssUrls,
} from "../src/paint/allow-lists.ts";

test("the fragment names a moment", () => {
  globalThis.location ??= { hash: "" } as Location;
  assert.deepEqual(parseUrlFragment("#t=1234"), { target: 1234, bare: false, page: 0 });
  assert.deepEqual(parseUrlFragment("#step=7"), { target: { step: 7 }, bare: false, page: 0 });
  assert.deepEqual(parseUrlFragment("#mark=before%20payment"), {
    target: { mark: "before payment" },
    bare: false,
    page: 0,
  });
  assert.deepEqual(parseUrlFragment("#bare&t=5.5"), { target: 5.5, bare: true, page: 0 });
  assert.deepEqual(parseUrlFragment("#mark=100%"), { target: { mark: "100%" }, bare: false, page: 0 });
  assert.deepEqual(parseUrlFragment("#bare&mark=paid&page=2"), { target: { mark: "paid" }, bare: true, page: 2 });
  assert.deepEqual(parseUrlFragment("#page=-1&page=x"), { target: undefined, bare: false, page: 0 });
  assert.deepEqual(parseUrlFragment("#t=soon"), { target: Number.NaN, bare: false, page: 0 }); // Which is said, as a step that is not there.
  assert.deepEqual(parseUrlFragment("#step=x"), { target: { step: "x" }, bare: false, page: 0 });
  assert.deepEqual(parseUrlFragment("#t=&step=&other=1"), { target: undefined, bare: false, page: 0 });
});

test("what runs, loads or navigates is never painted", () => {
  const refused: Array<[string, string, string]> = [
    ["img", "onerror", "x"],
    ["svg|svg", "ONLOAD", "x"],
    ["a", "href", "java\nscript:x"],
    ["a", "href", "\x01javascript:x"],
    ["a", "href", "data:text/html,x"],
    ["a", "href", "blob:https://h/1"],
    ["svg|a", "xlink:href", "javascript:x"],
    ["iframe", "src", "https://h"],
    ["iframe", "srcdoc", "x"],
    ["iframe", "sandbox", ""],
    ["iframe", "allow", "camera"],
    ["form", "action", "/x"],
    ["form", "target", "_top"],
    ["button", "formaction", "/x"],
    ["a", "ping", "https://h"],
    ["img", "src", "https://h/x.png"],
    ["img", "srcset", "https://h/x.png 2x"],
    ["video", "poster", "https://h/x.png"],
    ["body", "background", "https://h/x.png"],
    ["link", "href", "https://h/x.css"],
    ["link", "href", "chrome://settings"],
    ["a", "href", "chrome://settings"],
    ["link", "rel", "stylesheet preload"],
    ["base", "href", "https://h"],
    ["meta", "http-equiv", "refresh"],
    ["object", "data", "x.swf"],
    ["embed", "src", "x.swf"],
    ["svg|use", "href", "https://h/x.svg#a"],
    ["svg|image", "xlink:href", "https://h/x.svg"],
    ["script", "id", "x"],
    ["x-any", "src", "https://h"],
    ["img", "attributionsrc", "https://h"],
    ["input", "autofocus", ""],
    ["div", "srcdoc", ""],
    ["p", "style", "background: url(https://h/x.png)"],
    ["p", "style", "background: URL( ' //h/x.png' )"],
    ["p", "style", "background: u\\72l(https://h/x.png)"],
    ["p", "style", "background: url(x.png)"],
    ["p", "style", "background: image-set('https://h/x.png' 1x)"],
    ["p", "style", 'background: -webkit-image-set(url(#a) 1x, "https://h/x.png" 2x'],
    ["p", "style", "background: image-set(if(style(--a:1): 'https://h/x.png') 1x)"],
    ["p", "style", "background: image-set(var(--a, 'https://h/x.png') 1x)"],
    ["p", "style", "background: image-set(var(--a) 1x)"],
    ["p", "style", "background: image-set(--f() 1x)"],
    ["p", "style", 'background: -webkit-image-set(env(a, (("https://h/x.png"))) 1x)'],
    ["p", "style", "background: cross-fade(attr(data-x type(<string>), 'https://h/x.png'), red)"],
    ["p", "style", "background: image-set(first-valid('//h/x.png') 1x)"],
    ["p", "style", "background: url(data:x') ; background: url(https://h/x.png) ; content: 'a'"],
    ["p", "style", 'content: "a\n; background: url(https://h/x.png); content: "b"'],
    ["p", "style", "content: 'url(\"data:'; background: url(https://h/x.png); content: '\")'"],
    ["p", "style", "/* ' */ background: url(https://h/x.png) /* ' */"],
    ["svg|rect", "fill", "url(https://h/x.svg#a)"],
    ["svg|rect", "filter", "url('x.svg#a')"],
    ["svg|rect", "mask", "url(#a), url(//h/x.svg#a)"],
    ["svg|animate", "values", "url(#a);url(x.svg#b)"],
  ];
  for (const [tag, name, value] of refused)
    assert.notEqual(chooseAttributeTreatment(tag, name, value, { [name]: value }), "paint", `${tag} ${name}=${value}`);
  const meta = { "http-equiv": "refresh", content: "0;url=https://h" };
  assert.equal(chooseAttributeTreatment("meta", "content", meta.content, meta), "withhold");
  for (const name of ["to", "values", "from", "by"]) {
    assert.equal(chooseAttributeTreatment("svg|set", name, "#a", { attributeName: "href", [name]: "#a" }), "drop");
    assert.equal(
      chooseAttributeTreatment("svg|animate", name, "javascript:x", { attributeName: "r", [name]: "javascript:x" }),
      "drop",
    );
  }
});

test("an element has one name, however its namespace is spelt", () => {
  const spelt: Array<[string, string]> = [
    ["http://www.w3.org/2000/svg|animate", "svg|animate"],
    ["http://www.w3.org/1998/Math/MathML|mi", "math|mi"],
    ["http://www.w3.org/1999/xhtml|style", "style"],
    ["html|script", "script"],
    ["html|na|me", "html|na|me"],
    ["svg|a|b", "svg|a|b"],
    ["http://www.w3.org/1999/xhtml|#shadow", "html|#shadow"],
    ["https://other.example/ns|style", "https://other.example/ns|style"],
    ["|style", "|style"],
    ["p", "p"],
  ];
  for (const [tag, canonical] of spelt) {
    assert.equal(getCanonicalTag(tag), canonical);
    const tags: string[] = [];
    createTree([tag, {}], 1, 0, { token: 1, adopt: () => false, create: (node) => tags.push(node.tag) });
    assert.deepEqual(tags, [canonical]);
  }
});

test("what only shows is painted", () => {
  const fine: Array<[string, string, string]> = [
    ["a", "href", "https://h/x"],
    ["a", "href", "/x?javascript:"],
    ["svg|use", "href", "#icon"],
    ["p", "title", "javascript:x"],
    ["div", "class", "x"],
    ["x-a", "@click", "go()"],
    ["link", "rel", "stylesheet"],
    ["meta", "content", "x"],
    ["svg|animate", "values", "1;2"],
    ["svg|animate", "values", "url(#a);url(#b)"],
    ["svg|rect", "fill", "url(#a)"],
    ["svg|rect", "mask", "url( '#a' ) no-repeat"],
    ["svg|rect", "transform", "translate(1 2)"],
    ["p", "title", "url(x)"],
    ["p", "style", "background: url(\"data:image/svg+xml,<svg fill='url(%23g)' style='src(x)'/>\")"],
    ["p", "style", "font: 1px 'a\\' (b'; background: url(blob:null/1)"],
    ["p", "style", "background: image-set(url(\"blob:null/1\") 1x type('image/png'))"],
    [
      "p",
      "style",
      "background: image-set(linear-gradient(rgb(1 2 3), color-mix(in srgb, red, blue)) 1x, url(#a) calc(1x + 1x) TYPE('image/png'))",
    ],
    ["p", "style", "content: if(style(--a:1): 'https://h/x.png'); color: var(--x)"],
    ["p", "style", "content: 'url(x)'; width: calc(1px + 2px)"],
  ];
  for (const [tag, name, value] of fine)
    assert.equal(chooseAttributeTreatment(tag, name, value, { [name]: value }), "paint", `${tag} ${name}=${value}`);
});

test("the builder's word is painted only where it is bytes in memory", () => {
  assert.ok(allowsPaintedValue("img", "src", "blob:null/1"));
  assert.ok(allowsPaintedValue("img", "srcset", "blob:null/1 2x"));
  assert.ok(allowsPaintedValue("img", "srcset", "data:image/png;base64,AA== 1x, blob:null/2 2x"));
  assert.ok(allowsPaintedValue("p", "style", "color: red"));
  assert.ok(allowsPaintedValue("p", "style", 'background: url("blob:null/1")'));
  assert.ok(allowsPaintedValue("svg|path", "marker-end", 'url("blob:null/1#a")'));
  assert.ok(allowsPaintedValue("svg|use", "href", "#a"));
  for (const [tag, name, value] of [
    ["svg|path", "fill", "url(https://h/x.svg#a)"],
    ["p", "fill", 'url("blob:null/1#a")'],
    ["img", "src", "https://h/x.png"],
    ["img", "srcset", "https://h/x.png 2x"],
    ["img", "srcset", "blob:null/1 1x, https://h/x.png 2x"],
    ["img", "srcset", "blob:null/1, https://h/x.png"],
    ["img", "srcset", "blob:null/1 (, blob:b),https://h/x.png 2x"],
    ["img", "srcset", ""],
    ["p", "style", "background: url(https://h/x.png)"],
    ["iframe", "src", "blob:null/1"],
    ["a", "href", "blob:null/1"],
    ["link", "href", "blob:null/1"],
    ["img", "src", "data:text/html,x"],
    ["script", "src", "blob:null/1"],
    ["img", "onerror", "blob:x"],
  ] as const)
    assert.ok(!allowsPaintedValue(tag, name, value), `${tag} ${name}=${value}`);
});

test("schemes are read as browsers read them", () => {
  assert.equal(parseUrlScheme(" \n JAVA\tSCRIPT:x"), "javascript");
  assert.equal(parseUrlScheme("/a:b"), "");
});

test("the clock plays to the end, jumps over idle spans and goes round a loop", () => {
  let now = 0;
  let queued: (() => void) | null = null;
  const seen: number[] = [];
  const clock = new Clock({
    duration: 1000,
    idle: [[200, 800]],
    onTick: (t) => seen.push(t),
    onStop: () => {},
    now: () => now,
    schedule: (callback) => {
      queued = callback;
      return 1;
    },
    cancel: () => {
      queued = null;
    },
  });
  const run = (ms: number): void => {
    now += ms;
    const callback = queued;
    queued = null;
    callback?.();
  };
  clock.play(0);
  run(100);
  run(150);
  assert.deepEqual(seen, [100, 800]);
  run(5000); // A tab that slept.
  assert.equal(seen.at(-1), 1000);
  assert.equal(clock.playing, false);
  clock.loop = [0, 50];
  clock.play(0);
  run(60);
  assert.equal(seen.at(-1), 0);
  clock.pause();
  // 290 ms are left, or 200 that are not idle: whoever presses Play there would see nothing happen.
  clock.loop = null;
  for (const [from, shown, skipIdle] of [
    [710, 10, false],
    [1000, 10, false],
    [650, 10, true],
    [650, 660, false],
  ] as const) {
    clock.skipIdle = skipIdle;
    clock.play(from);
    run(10);
    assert.equal(seen.at(-1), shown);
    clock.pause();
  }
});

test("resources are read when they are wanted, once", async () => {
  const reads: string[] = [];
  const bytes = new TextEncoder().encode("a{}PNG");
  const resources = new Resources(
    [
      [0, 0, 3, "text/css"],
      [0, 3, 3, "text/html"],
    ],
    async (name) => {
      reads.push(name);
      return bytes;
    },
  );
  let ready = 0;
  resources.onReady(() => {
    ready += 1;
  });
  assert.equal(resources.text(0), undefined);
  assert.equal(resources.fill("url(pagereel:1)"), undefined);
  await resources.settled();
  assert.equal(resources.text(0), "a{}");
  assert.match(resources.fill("x pagereel:1 y") ?? "", /^x blob:.* y$/);
  assert.equal(resources.blob(1)?.type, "application/octet-stream"); // No blob of ours opens as a page.
  assert.equal(resources.fill("pagereel:99"), EMPTY_URL);
  assert.deepEqual([reads, ready], [["pack-0"], 1]);
});

test("a style sheet keeps no address but places in the document and bytes in memory", () => {
  const kept = [
    'a{background:url(#a) , url("blob:null/1"), url( data:,x )}',
    "a::after{content:'url(https://h)'}/* url(https://h) */",
    "@namespace svg url(http://www.w3.org/2000/svg);svg|a{color:red}",
    'a{background:image-set(url("blob:null/1") 1x type("image/png"))}',
    ".md\\:w-\\[calc\\(1px\\)\\]:not(b){content:'\\f101 ('}",
  ];
  for (const css of kept) assert.equal(removeCssUrls(css), css);
  const tamed: Array<[string, string]> = [
    ["*{mask:url(file:///etc/x#m)}", "*{mask:url(data:,file:///etc/x#m)}"],
    ["*{background:url( 'x' )}", "*{background:url( 'data:,x' )}"],
    ['*{background:src("x")}', '*{background:src("data:,x")}'],
    ['*{background:image-set("x" 1x)}', '*{background:image-set("data:,x" 1x)}'],
    ["*{background:u\\72l(x)}", "*{background:u\\72lx(x)}"],
    ["/* url(y) */*{background:url(\u00a0data:x)}", "/* url(y) */*{background:url(data:,\u00a0data:x)}"],
    // What a browser takes for the end of a string, or for none, must be that here.
    ['*{x:"a\n;background:url(y)}', '*{x:"a\n;background:url(data:,y)}'],
    ['*{x:"\\52\n";background:url(y)}"}', '*{x:"\\52\n";background:url(data:,y)}"}'],
    ['*{x:url(a")}*{background:url(y)}b{content:""}', '*{x:url(data:,a")}*{background:url(data:,y)}b{content:""}'],
    ['*{x:1url(a") ")}*{background:url(y)}', '*{x:1urlx(a"data:,) ")}*{background:url(data:,y)}'],
    ['*{x:<!--url(a")}*{background:url(y)}', '*{x:<!--url(data:,a")}*{background:url(data:,y)}'],
    ["*{x:\\@namespace url(y)}", "*{x:\\@namespace url(data:,y)}"],
  ];
  for (const [css, wanted] of tamed) assert.equal(removeCssUrls(css), wanted);
});
