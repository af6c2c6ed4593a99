import fc from "fast-check";
import { expect, test } from "vitest";
import { parseForm, readBody } from "./form.ts";

test("a repeated parameter is invalid_request (RFC 6749 §3.1), but resource and audience may repeat", () => {
  expect(() => parseForm("a=1&a=1")).toThrow(/more than once/);
  expect(() => parseForm("a=&a=1")).toThrow(/more than once/);
  expect(parseForm("resource=x&resource=y")).toEqual({ resource: ["x", "y"] });
});

test("an empty value counts as absent (RFC 6749 §3.1)", () => {
  expect(parseForm("a=&b=1&resource=")).toEqual({ b: "1" });
});

test.each(["state=%FFa", "%C3=a", "a=%C3b%A9", "a=%ED%A0%80", "resource=a&resource=%80", "a=%2Ł"])(
  "%s is invalid_request: it isn't escaped UTF-8 (RFC 6749 Appendix B)",
  (text) => {
    expect(() => parseForm(text)).toThrow(/not UTF-8/);
  },
);

test("50,000 resource parameters are read in linear time (RFC 8707 §2)", () => {
  const before = process.cpuUsage();
  expect(parseForm("resource=a&".repeat(50_000))["resource"]).toHaveLength(50_000);
  const { user, system } = process.cpuUsage(before);
  // Ten times the usual time. If the list were copied for each value, it would take a hundred times the usual time.
  expect((user + system) / 1e6).toBeLessThan(1.5);
});

test("names like __proto__ are ordinary parameter names", () => {
  const fields = parseForm("__proto__=x&constructor=y");
  expect(Object.keys(fields)).toEqual(["__proto__", "constructor"]);
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
});

test("any input returns texts or throws invalid_request", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        for (const value of Object.values(parseForm(text)))
          expect(typeof value === "string" || Array.isArray(value)).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({ code: "invalid_request" });
      }
    }),
  );
});

test.each<[string, Record<string, string>]>([
  ["with a Content-Length", { "content-length": "10" }],
  ["in chunks", {}],
])(
  "if the caller disconnects before the end of a body %s, the error is invalid_request (RFC 9112 §8)",
  async (_, headers) => {
    const reset = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from("grant")),
      pull: (controller) => controller.error(reset),
    });
    const request = new Request("https://a.example", { method: "POST", headers, body, duplex: "half" } as RequestInit);
    await expect(readBody(request)).rejects.toMatchObject({ kind: "invalid", code: "invalid_request" });
  },
);
