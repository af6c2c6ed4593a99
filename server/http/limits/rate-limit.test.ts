import { describe, expect, test } from "vitest";
import { parseRateLimits, rateLimitDefaults } from "../../contract/limit-classes.ts";
import { endpoints } from "../../endpoints/index.ts";
import { pagesLimit } from "../serve-trpc.ts";
import { assertKnownLimits, limitClassOf } from "./rate-limit.ts";

const all = [...endpoints, pagesLimit];
const check = (text: string) => () => assertKnownLimits(parseRateLimits(text), all);

describe("RATE_LIMITS by endpoint (docs/spec/product.md, Rate limits)", () => {
  test("the limits of each limited operation can be set by its operationId, and no operationId equals the name of a class", () => {
    const limited = all.filter((endpoint) => limitClassOf(endpoint) !== "none").map(({ operationId }) => operationId);
    expect(limited.length).toBeGreaterThan(40);
    expect(check(limited.map((name) => `${name}.address=5/60`).join())).not.toThrow();
    expect(limited.filter((name) => Object.hasOwn(rateLimitDefaults, name))).toEqual([]);
  });

  test.each(["tokn.client=5/60", "constructor.address=5/60", "getHealth.address=5/60"])(
    "an unknown name is reported and prevents the start: %s",
    (text) => {
      expect(check(text)).toThrow(`RATE_LIMITS: ${JSON.stringify(text.split(".")[0])} is neither a class nor`);
    },
  );

  test("a client limit for an operation without a client also prevents the start", () => {
    expect(check("jwks.client=5/60")).toThrow('RATE_LIMITS: "jwks.client" has no effect');
  });
});
