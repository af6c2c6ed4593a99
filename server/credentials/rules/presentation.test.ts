import { expect, test } from "vitest";
import { bindingRules, type PresentationSubject } from "./presentation.ts";

/** Takes the signed claims as text, so that a test can write what JSON.stringify can't. */
const bindingOf = (claims: string): PresentationSubject["binding"] => ({
  header: { typ: "kb+jwt" },
  payload: JSON.parse(claims),
  signingInput: `e30.${Buffer.from(claims).toString("base64url")}`,
});

test.each([
  ["1000", true],
  ["1000.0000000000000001", false],
  ["1000.0", false],
  ["1e3", false],
  ['"1000"', false],
])(
  "transaction amount %s is accepted: %s (docs/spec/payments.md, errors: integers are checked on the text)",
  (amount, is) => {
    const rule = bindingRules.find(({ name }) => name === "binding-transaction");
    // The NumericDate may be a fraction (RFC 7519 §2).
    const claims = `{"iat":1.5,"transaction":{"amount":${amount},"currency":"EUR","transaction_id":"order-1"}}`;
    const subject = { binding: bindingOf(claims) } as PresentationSubject;
    expect(rule?.holds(subject)).toBe(is);
  },
);
