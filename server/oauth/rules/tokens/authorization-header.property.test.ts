import fc from "fast-check";
import { expect, test } from "vitest";
import { challenge, parseAuthorization } from "./authorization-header.ts";

const token68 = fc
  .tuple(fc.string({ unit: fc.constantFrom(..."aZ09-._~+/"), minLength: 1 }), fc.nat(2))
  .map(([text, padding]) => text + "=".repeat(padding));
const anyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((uppers) => [...text].map((letter, index) => (uppers[index] ? letter.toUpperCase() : letter)).join(""));
const scheme = fc.constantFrom("bearer" as const, "dpop" as const);

test("accepts the scheme in upper or lower case, and returns the token unchanged (RFC 9110 §11.1, §11.2)", () => {
  const sent = scheme.chain((name) =>
    fc.tuple(fc.constant(name), anyCase(name), fc.integer({ min: 1, max: 3 }), token68),
  );
  fc.assert(
    fc.property(sent, ([name, written, spaces, token]) => {
      expect(parseAuthorization(`${written}${" ".repeat(spaces)}${token}`)).toEqual({ scheme: name, token });
    }),
  );
});

test("anything that isn't scheme, spaces and one token68 is refused", () => {
  const text = fc.array(fc.constantFrom("Bearer", "DPoP", "Basic", " ", ",", "abc", "=", '"', "\t", "é", "a=b"), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(text, (pieces) => {
      const header = pieces.join("");
      const [first = "", ...rest] = header.split(" ");
      const token = rest.at(-1) ?? "";
      const isOurs =
        ["bearer", "dpop"].includes(first.toLowerCase()) &&
        rest.length > 0 &&
        rest.slice(0, -1).every((part) => part === "") &&
        /^[A-Za-z0-9]+=*$/.test(token);
      expect(parseAuthorization(header) !== null).toBe(isOurs);
    }),
    { numRuns: 300 },
  );
});

test("a challenge can be parsed: it has each scheme once, and each parameter with its full value (RFC 9110 §11.6.1)", () => {
  /** The characters of a description (RFC 6749 §5.2). */
  const description = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });
  const plain = description.map((text) => text.replace(/["\\]/g, "'"));
  fc.assert(
    fc.property(plain, fc.option(fc.constantFrom("charges.read", "a b"), { nil: undefined }), (text, scope) => {
      const written = challenge({
        error: { code: "invalid_token", description: text },
        ...(scope === undefined ? {} : { scope }),
        resourceMetadata: "https://pay.example/m",
        dpopAlgorithms: ["ES256"],
      });
      const values = [...written.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]);
      expect(values.filter(([name]) => name === "error_description")).toEqual([
        ["error_description", text],
        ["error_description", text],
      ]);
      expect(values.filter(([name]) => name === "scope")).toHaveLength(scope === undefined ? 0 : 2);
      expect(written.replace(/"[^"]*"/g, '""').match(/(DPoP|Bearer) /g)).toEqual(["DPoP ", "Bearer "]);
    }),
  );
});
