import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { makeElement, FakePage, makeText } from "../test/page.ts";
import { createSession } from "../test/session.ts";
import { Crc32 } from "./digest.ts";

/** Of one, two, three and four bytes, surrogates that are alone, and ends of each range. */
const LETTERS = ["a", "\x7f", "\x80", "é", "\u07ff", "\u0800", "€", "\ud7ff", "\ue000", "\uffff", "𝄞", "\u{10ffff}"];
const ALONE = ["\ud800", "\udbff", "\udc00", "\udfff"];

const hex = (text: string): string => crc32(new TextEncoder().encode(text)).toString(16).padStart(8, "0");

test("the CRC is zlib's over UTF-8, whatever follows what", () => {
  const all = [...LETTERS, ...ALONE];
  for (const first of all) {
    for (const second of all) {
      for (const third of all) {
        const whole = first + second + third;
        const crc = new Crc32();
        crc.text(whole);
        assert.equal(crc.hex, hex(whole));
      }
    }
  }
});

test("a part of a text counts by itself: half a letter at its end is alone", () => {
  const crc = new Crc32();
  crc.text("a𝄞b", 0, 2);
  crc.text("a𝄞b", 2);
  assert.equal(crc.hex, hex("a\ufffd\ufffdb"));
});

test("a number is its digits", () => {
  for (const value of [0, 7, 10, 99, 100, 4096, 65_535, 1_000_000, 2 ** 31 - 1]) {
    const crc = new Crc32();
    crc.number(value);
    assert.equal(crc.hex, hex(`${value}`));
  }
});

test("the digest is that of the lines: attributes by name, hidden text left out, a root before the children", () => {
  const page = new FakePage();
  const host = makeElement("div", "light", makeElement("script", "hidden"), "after");
  host.setAttribute("title", "é");
  host.setAttribute("class", "a");
  host.attachShadow().put(makeElement("b", "deep"));
  page.body.put(host);
  page.body.put(makeText("last"));
  const session = createSession(page);
  session.start();
  session.flush();
  page.messages();
  const lines = session.lines();
  const shape = lines.replace(/^([A-Z])\d+/gm, "$1").split("\n");
  assert.deepEqual(shape.slice(shape.indexOf("E body") + 1), [
    "E div\x1fclass=a\x1ftitle=é",
    "S open",
    "E b",
    "T deep",
    ")",
    ")",
    "T light",
    "E script",
    ")",
    "T after",
    ")",
    "T last",
    ")",
    ")",
    ")",
    "",
  ]);
  session.checkpoint();
  session.flush();
  const told = page.messages().find(({ k }) => k === "checkpoint");
  assert.equal(told?.digest, hex(lines));
  assert.equal(told?.nodes, lines.split("\n").filter((line) => /^[A-Z]/.test(line)).length);
});
