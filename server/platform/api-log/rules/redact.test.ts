import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redacted, redactForm, redactJson } from "./redact.ts";

// docs/spec/portal.md, API logs: bodies without secrets.

const jws = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl";

describe("JSON bodies", () => {
  test.each([
    ["access_token", "opaque-token"],
    ["refresh_token", "opaque"],
    ["client_assertion", "x"],
    ["subjectToken", "x"],
    ["presentation", "x"],
    ["credential", { deep: "secret" }],
    ["webhook_secret", "whsec_abc"],
    ["password", "hunter2"],
    ["Authorization", "Basic eDp5"],
    ["cvc", 123],
    ["card_number", "4242"],
  ])("hides %s", (name, value) => {
    expect(JSON.parse(redactJson(JSON.stringify({ deep: [{ [name]: value }] })))).toEqual({
      deep: [{ [name]: redacted }],
    });
  });

  test("hides the private members of a key and the data of a card", () => {
    const body = {
      jwk: { kty: "EC", x: "x", d: "private", kid: "k" },
      postQuantum: { kty: "AKP", pub: "pub", priv: "private" },
      card: { number: 4242424242424242, exp_month: 4 },
    };
    expect(JSON.parse(redactJson(JSON.stringify(body)))).toEqual({
      jwk: { kty: "EC", x: "x", d: redacted, kid: "k" },
      postQuantum: { kty: "AKP", pub: "pub", priv: redacted },
      card: { number: redacted, exp_month: redacted },
    });
  });

  test("hides tokens, card numbers and keys in any text", () => {
    const texts = [jws, `Bearer ${"a".repeat(20)}`, "4242 4242 4242 4242", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
    const shown = redactJson(JSON.stringify({ reference: texts.map((text) => `see ${text} here`) }));
    for (const text of texts) expect(shown).not.toContain(text);
  });

  test("keeps the values that a developer needs", () => {
    const body = {
      id: "chg_1",
      amount: 4900,
      currency: "EUR",
      code: "refused_by_mandate",
      token_type: "Bearer",
      created_at: "2026-11-26T12:00:00.000Z",
      reference: "Order 1234567890123",
    };
    expect(JSON.parse(redactJson(JSON.stringify(body)))).toEqual(body);
  });

  test("never shows a secret member, at any depth", () => {
    const secret = "S3CRETVALUE";
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 5 }), (path) => {
        const body = path.reduceRight<unknown>((inner, name) => ({ [`x${name}`]: [inner] }), { token: secret });
        expect(redactJson(JSON.stringify(body))).not.toContain(secret);
      }),
    );
  });

  test("replaces text that isn't JSON, and cuts long bodies", () => {
    expect(redactJson(`{"access_token":"${jws}"`)).not.toContain("ey");
    expect(redactJson(JSON.stringify({ note: "n".repeat(10_000) })).length).toBeLessThan(4_200);
    expect(redactJson("x".repeat(100_000))).toBe("(not kept: 100000 characters)");
  });
});

test("forms and queries: assertions, codes and tokens are hidden", () => {
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    scope: "charges.read",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: jws,
    code: "abc",
    code_verifier: "def",
    refresh_token: "ghi",
  });
  expect(redactForm(form.toString())).toBe(
    [
      "grant_type=client_credentials",
      "scope=charges.read",
      "client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      `client_assertion=${redacted}`,
      `code=${redacted}`,
      `code_verifier=${redacted}`,
      `refresh_token=${redacted}`,
    ].join("&"),
  );
});
