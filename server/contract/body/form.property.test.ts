import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDomainError, isOAuthError } from "../../kernel/errors.ts";
import { unicode } from "../../kernel/text/text.fixture.ts";
import { maxBodyBytes, parseForm, readBody } from "./form.ts";

/** Text that a form can contain: well-formed Unicode without NUL. */
const text = fc.string({ unit: unicode, maxLength: 12 }).map((value) => value.replaceAll("\0", "0"));
const name = text.filter((value) => !["resource", "audience"].includes(value));

test("distinct parameters are returned unchanged, with any characters (RFC 6749 Appendix B)", () => {
  const sent = fc.uniqueArray(fc.tuple(name, text.filter(Boolean)), { selector: ([key]) => key, maxLength: 8 });
  fc.assert(
    fc.property(sent, (pairs) => {
      const parsed = parseForm(new URLSearchParams(pairs).toString());
      expect(Object.entries(parsed).sort()).toEqual([...pairs].sort());
    }),
  );
});

test("resource and audience keep every value that isn't empty, in order (RFC 8707 §2, RFC 8693 §2.1)", () => {
  fc.assert(
    fc.property(fc.constantFrom("resource", "audience"), fc.array(text), (key, values) => {
      const kept = values.filter(Boolean);
      const parsed = parseForm(new URLSearchParams(values.map((value) => [key, value])).toString());
      expect(parsed[key] ?? []).toEqual(kept);
    }),
  );
});

/** Decodes a name or a value. Unlike WHATWG's parser, it throws if the bytes aren't UTF-8. */
const decodePart = (part: string): string => {
  const bytes: number[] = [];
  for (let at = 0; at < part.length; at++) {
    const hex = /^%([0-9A-Fa-f]{2})/.exec(part.slice(at, at + 3))?.[1];
    if (hex) at += 2;
    bytes.push(...(hex ? [Number.parseInt(hex, 16)] : Buffer.from(part[at] === "+" ? " " : (part[at] ?? ""))));
  }
  return new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(Uint8Array.from(bytes));
};

const slowPairs = (body: string): string[][] | null => {
  // Refused: with an invalid escape in the text, Node reads characters beyond ASCII as single bytes.
  if (body.includes("é") && /%(?![0-9A-Fa-f]{2})/.test(body)) return null;
  try {
    return splitPairs(body);
  } catch {
    return null;
  }
};

const splitPairs = (body: string): string[][] =>
  body
    .split("&")
    .filter(Boolean)
    .map((pair) => {
      const equals = pair.indexOf("=");
      return equals < 0
        ? [decodePart(pair), ""]
        : [decodePart(pair.slice(0, equals)), decodePart(pair.slice(equals + 1))];
    });
/** The reference model. @returns null for a body that is refused. */
const slowForm = (body: string): Record<string, string | string[]> | null => {
  const pairs = slowPairs(body);
  if (pairs === null) return null;
  const single = pairs.map(([key]) => key).filter((key) => key !== "resource");
  if (new Set(single).size < single.length || pairs.flat().some((part) => part.includes("\0"))) return null;
  const fields: Record<string, string | string[]> = {};
  for (const [key = "", value = ""] of pairs) {
    if (value === "") continue;
    fields[key] = key === "resource" ? [...(fields[key] ?? []), value] : value;
  }
  return fields;
};

test("agrees with a simple reference parser, and throws invalid_request for exactly the texts that it refuses", () => {
  const piece = fc.constantFrom(
    "a",
    "b",
    "=",
    "&",
    "+",
    "%",
    "%20",
    "%C3%A9",
    "%C3",
    "é",
    "%FF",
    "%00",
    "%2",
    "resource",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const body = pieces.join("");
      let parsed: unknown = null;
      try {
        parsed = { ...parseForm(body) };
      } catch (error) {
        expect(isOAuthError(error) && error.code).toBe("invalid_request");
      }
      expect(parsed).toEqual(slowForm(body));
    }),
    { numRuns: 400 },
  );
});

describe("a body", () => {
  const post = (chunks: readonly Uint8Array[]) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    return new Request("https://a.example", { method: "POST", body, duplex: "half" } as RequestInit);
  };

  test("is read as the same text for every split into chunks, and is refused if it isn't UTF-8", async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.string({ unit: unicode }).map((value) => Buffer.from(value)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.array(fc.nat(40), { maxLength: 4 }), async (whole, cuts) => {
        const borders = [0, ...cuts.map((cut) => Math.min(cut, whole.length)), whole.length].sort((a, b) => a - b);
        const chunks = borders.slice(1).map((end, index) => whole.slice(borders[index], end));
        const read = readBody(post(chunks));
        if (isUtf8(whole)) expect(await read).toBe(new TextDecoder().decode(whole));
        else await expect(read).rejects.toThrow(TypeError);
      }),
    );
  });

  test("is refused at its first byte over 64 KiB, for every split into chunks", async () => {
    const size = fc.integer({ min: maxBodyBytes - 2, max: maxBodyBytes + 2 });
    await fc.assert(
      fc.asyncProperty(size, fc.integer({ min: 1, max: maxBodyBytes }), async (length, step) => {
        const whole = new Uint8Array(length).fill(0x61);
        const chunks: Uint8Array[] = [];
        for (let at = 0; at < length && chunks.length < 20; at += step) chunks.push(whole.subarray(at, at + step));
        const sent = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
        const read = await readBody(post(chunks)).catch((error: unknown) => error);
        if (sent > maxBodyBytes) expect(isDomainError(read) && read.code).toBe("body_too_large");
        else expect(String(read)).toHaveLength(sent);
      }),
      { numRuns: 40 },
    );
  });
});
