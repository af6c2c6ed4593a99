import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Config } from "../../deps/config.ts";
import { isOAuthError } from "../../kernel/errors.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { authorizationDetailsTypes } from "./authorization-details-types.ts";
import { mandateDetails } from "./mandate-details.fixture.ts";
import { readAuthorizationDetails } from "./validate-authorization-details.ts";

const deps = { config: { baseUrl: "https://pay.example" } as Config };
const at = new Date("2026-11-21T10:00:00Z") as BusinessTime;
const read = (raw: unknown) => readAuthorizationDetails(deps, { raw, replaceable: null, at });

/**
 * @returns null if `raw` was accepted. Every refusal has the same code, and only characters that RFC 6749 §5.2 allows.
 */
const refusalOf = (raw: unknown): string | null => {
  try {
    read(raw);
    return null;
  } catch (error) {
    if (!isOAuthError(error)) throw error;
    expect(error.code).toBe("invalid_authorization_details");
    expect(error.description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    return error.description;
  }
};

describe("payment_mandate_v1 (RFC 9396 §5)", () => {
  test("keeps each member as sent, and reading the result again changes nothing", () => {
    fc.assert(
      fc.property(fc.array(mandateDetails, { minLength: 1, maxLength: 3 }), (items) => {
        const sent = JSON.parse(JSON.stringify(items));
        expect(read(sent)).toEqual(sent);
        expect(read(read(sent))).toEqual(sent);
      }),
    );
  });

  test("refuses an unknown member at any place", () => {
    const name = fc.string({ minLength: 1 }).map((text) => `x_${text}`);
    fc.assert(
      fc.property(mandateDetails, name, fc.jsonValue(), fc.nat(2), (details, member, value, place) => {
        const item = JSON.parse(JSON.stringify(details));
        const places = [item, item.periodic_limits?.[0], item.payees?.[0]].filter(Boolean);
        places[place % places.length][member] = value;
        expect(refusalOf([item])).not.toBeNull();
      }),
    );
  });

  test("refuses a value out of bounds, naming the place and not the value", () => {
    const number = fc.oneof(
      fc.integer({ max: 0 }),
      fc.integer({ min: 100_000_000_000, max: Number.MAX_SAFE_INTEGER }),
      fc.double({ noInteger: true }),
    );
    const wrong = fc.oneof(
      fc.tuple(
        fc.constantFrom("max_total_amount", "max_payments", "step_up_above"),
        fc.oneof(number, fc.string(), fc.constant(null)),
      ),
      fc.tuple(
        fc.constantFrom("currency", "time_zone", "refund_policy"),
        fc.string({ minLength: 1 }).map((text) => `~${text}`),
      ),
      fc.tuple(
        fc.constantFrom("actions", "payer_presence", "payees"),
        fc.array(
          fc.string().map((text) => `~${text}`),
          { minLength: 1 },
        ),
      ),
      fc.tuple(
        fc.constantFrom("valid_from", "valid_until"),
        fc.string().map((text) => `2027-${text}`),
      ),
    );
    fc.assert(
      fc.property(mandateDetails, wrong, (details, [member, value]) => {
        const refusal = refusalOf([{ ...JSON.parse(JSON.stringify(details)), [member]: value }]);
        expect(refusal).toMatch(new RegExp(`^authorization_details\\[0\\]\\.${member}(\\[0\\])?: `));
      }),
      { numRuns: 300 },
    );
  });

  test("refuses any other JSON as invalid_authorization_details", () => {
    const shaped = fc.array(fc.dictionary(fc.constantFrom("type", "actions", "currency", "payees"), fc.jsonValue()));
    const typed = shaped.map((items) => items.map((item) => ({ ...item, type: "payment_mandate_v1" })));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), shaped, typed), (raw) => {
        refusalOf(raw);
      }),
      { numRuns: 300 },
    );
  });

  test("accepts only what the published JSON Schema accepts (OAuth 2.0 RAR Metadata §5)", () => {
    const schema = authorizationDetailsTypes["payment_mandate_v1"]?.schema;
    const published = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    fc.assert(
      fc.property(mandateDetails, (details) => {
        expect(published.safeParse(JSON.parse(JSON.stringify(details))).success).toBe(true);
      }),
    );
  });
});
