import { describe, expect, test } from "vitest";
import { holdsText, isPlain, isShallow, namesOnce, viramas } from "./text.ts";

describe("text that can be stored, without an unpaired surrogate (RFC 7493 §2.1) or NUL", () => {
  test.each(["a\0", "\ud800", { a: ["\0"] }, { "\ud800": 1 }, [[["a\0"]]]])("refuses %j", (value) => {
    expect(holdsText(value)).toBe(false);
  });

  test.each(["", "é😀", { a: [1, null, true, { b: "c" }] }, null, undefined])("accepts %j", (value) => {
    expect(holdsText(value)).toBe(true);
  });

  test("is recognized at any depth and breadth", () => {
    expect(holdsText(JSON.parse("[".repeat(30_000) + "]".repeat(30_000)))).toBe(true);
    const broad = Array(500_000).fill(0);
    expect(holdsText(broad)).toBe(true);
    expect(namesOnce(JSON.stringify(broad))).toBe(true);
    expect(namesOnce(`${'{"a":'.repeat(30_000)}0${"}".repeat(30_000)}`)).toBe(true);
  });
});

test("a repeated name with escapes is found, even after JSON.parse has parsed a similar name", () => {
  JSON.parse(String.raw`{"\\":1}`);
  expect(namesOnce(String.raw`{"\"":1,"\"":2}`)).toBe(false);
  expect(namesOnce(String.raw`{"a":1,"\u0061":2}`)).toBe(false);
  expect(namesOnce('{"a":{"a":1},"b":[{"a":1},{"a":2}]}')).toBe(true);
});

test("a value with at most 32 levels is shallow, in any shape", () => {
  const nested = (levels: number, wrap: (inner: unknown) => unknown) =>
    Array.from({ length: levels }).reduce<unknown>((inner) => wrap(inner), 1);
  for (const wrap of [(inner: unknown) => [inner], (inner: unknown) => ({ a: inner })]) {
    expect(isShallow(nested(31, wrap))).toBe(true);
    expect(isShallow(nested(32, wrap))).toBe(false);
    expect(isShallow(nested(100_000, wrap))).toBe(false);
  }
});

describe("plain text has format characters only where orthography or emoji need them", () => {
  test.each([
    ["a family", "Order 👨\u200d👩\u200d👧"],
    ["an emoji with a skin tone and a sign", "👩🏽\u200d⚕\ufe0f"],
    ["the rainbow flag", "🏳\ufe0f\u200d🌈"],
    ["the flag of Scotland", "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"],
    ["Persian", "می\u200cخواهم"],
    ["Persian, a name", "پرداخت\u200cیار"],
    ["Persian, after a letter that doesn't join to it", "کار\u200cها"],
    ["Persian, after digits", "۲۴\u200cساعته"],
    ["Persian, after a Latin word", "API\u200cها"],
    ["Persian, an abbreviation", "۱۳۷۵ ه\u200d.ش"],
    ["Sinhala", "ශ්\u200dරී ලංකා"],
    ["Hindi, a half form", "क्\u200dष"],
    ["Hindi, a visible virama", "क्\u200cष"],
    ["Bengali, ya-phalaa", "র\u200d্যাম"],
    ["Malayalam, a chillu", "അവന്\u200d"],
    ["Khmer, before a register shifter", "ប\u200c៊"],
    ["an Arabic year", "\u0601٢٠٢٦"],
  ])("accepts %s", (_, value) => expect(isPlain(value)).toBe(true));

  test.each([
    ["a joiner in a Latin word", "Pay\u200dpal"],
    ["a non-joiner in a Latin word", "Pay\u200cpal"],
    ["a joiner in a Cyrillic word", "мо\u200dст"],
    ["a joiner at the beginning", "\u200dمی"],
    ["a non-joiner at the end", "می\u200c"],
    ["two joiners in a row", "می\u200c\u200cخواهم"],
    ["a joiner behind an emoji alone", "👨\u200d"],
    ["a joiner between an emoji and a letter", "👨\u200da"],
    ["a joiner alone", "\u200d"],
    ["tags behind a letter", "a\u{e0067}\u{e0062}\u{e007f}"],
    ["tags that spell more than a region", `🏴${"\u{e0061}".repeat(7)}\u{e007f}`],
    ["a flag's tags without their end", "🏴\u{e0067}\u{e0062}\u{e0073}"],
    ["an override of direction", "\u202e"],
    ["an isolate", "می\u2066خواهم"],
    ["an Arabic letter mark", "م\u061cی"],
    ["a mark of direction", "a\u200e"],
    ["a zero-width space", "می\u200bخواهم"],
    ["a word joiner", "a\u2060b"],
    ["a byte order mark", "\ufeffa"],
    ["a soft hyphen", "a\u00adb"],
    ["a line separator", "a\u2028b"],
    ["a control", "a\nb"],
  ])("refuses %s", (_, value) => expect(isPlain(value)).toBe(false));

  test("the list of viramas has exactly the characters of combining class 9, which normalization sorts after class 8 and before class 10", () => {
    const [kana, hebrew] = ["\u3099", "\u05b0"];
    const marks = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code)).filter(
      (character) => /\p{M}/u.test(character) && character !== kana && character !== hebrew,
    );
    const found = marks.filter(
      (mark) => (hebrew + mark).normalize("NFD") === mark + hebrew && (mark + kana).normalize("NFD") === kana + mark,
    );
    expect(found).toEqual(viramas);
  });

  test("a long run of joiners is checked in linear time", () => {
    expect(isPlain("👨\u200d".repeat(50_000))).toBe(false);
    expect(isPlain("\u200d".repeat(100_000))).toBe(false);
  });
});
