import { beforeAll, describe, test } from "vitest";
import { expectOAuthError } from "../../support/error-shape.ts";
import { currentInstance } from "../../support/instance.ts";
import { mandateDetails, pushFields } from "../../support/mandate-flow.ts";
import { type Merchant, type Party, postAs, registerAgent, registerMerchant } from "../../support/parties.ts";

const { sandboxUrl } = currentInstance();

let agent: Party;
let merchant: Merchant;
beforeAll(async () => {
  [agent, merchant] = await Promise.all([registerAgent(sandboxUrl), registerMerchant(sandboxUrl)]);
});

const push = (fields: Record<string, string>) =>
  postAs(agent, "/oauth/par", pushFields([mandateDetails(merchant.merchantId)], fields).form);

describe("authorization_details (RFC 9396 §5; 2-payments, The mandate)", () => {
  const base = () => mandateDetails(merchant.merchantId);
  const without = (name: string) => Object.fromEntries(Object.entries(base()).filter(([key]) => key !== name));
  const rows: [string, () => unknown][] = [
    ["an unknown type", () => [{ ...base(), type: "payment_mandate_v2" }]],
    ["no type", () => [without("type")]],
    ["an unknown field", () => [{ ...base(), tip: 1 }]],
    ["no actions", () => [without("actions")]],
    ["empty actions", () => [{ ...base(), actions: [] }]],
    ["an unknown action", () => [{ ...base(), actions: ["refund"] }]],
    ["no currency", () => [without("currency")]],
    ["an unknown currency", () => [{ ...base(), currency: "XXX" }]],
    ["a currency in lower case", () => [{ ...base(), currency: "eur" }]],
    ["no amount cap", () => [{ type: "payment_mandate_v1", actions: ["charge"], currency: "EUR", max_payments: 3 }]],
    ["an amount of 0", () => [{ ...base(), max_total_amount: 0 }]],
    ["a negative amount", () => [{ ...base(), max_total_amount: -1 }]],
    ["a fraction", () => [{ ...base(), max_total_amount: 10.5 }]],
    ["an amount as text", () => [{ ...base(), max_total_amount: "1000" }]],
    ["an amount over the limit", () => [{ ...base(), max_total_amount: 100_000_000_000 }]],
    [
      "six periodic limits",
      () => [
        {
          ...base(),
          periodic_limits: ["day", "week", "month", "quarter", "year", "day"].map((period, index) => ({
            period,
            alignment: index < 5 ? "calendar" : "consent",
            max_amount: 1,
          })),
        },
      ],
    ],
    [
      "two limits of one period",
      () => [
        {
          ...base(),
          periodic_limits: [1, 2].map((max_amount) => ({ period: "day", alignment: "calendar", max_amount })),
        },
      ],
    ],
    [
      "an unknown period",
      () => [{ ...base(), periodic_limits: [{ period: "hour", alignment: "calendar", max_amount: 1 }] }],
    ],
    ["an unknown time zone", () => [{ ...base(), time_zone: "Mars/Olympus" }]],
    ["an unknown payee", () => [{ ...base(), payees: [{ id: "mch_unknown" }] }]],
    ["an unknown merchant category", () => [{ ...base(), payees: [{ category: "0000" }] }]],
    ["a payee with id and category", () => [{ ...base(), payees: [{ id: merchant.merchantId, category: "5411" }] }]],
    ["an end in the past", () => [{ ...base(), valid_until: "2020-01-01T00:00:00Z" }]],
    ["an end over a year ahead", () => [{ ...base(), valid_until: "2099-01-01T00:00:00Z" }]],
    ["an end without an offset", () => [{ ...base(), valid_until: "2027-01-01T00:00:00" }]],
    ["an unknown presence", () => [{ ...base(), payer_presence: ["asleep"] }]],
    ["a purpose of 141 characters", () => [{ ...base(), purpose: "p".repeat(141) }]],
    ["a purpose that writes backwards", () => [{ ...base(), purpose: "pay \u202e0001" }]],
    ["eleven items", () => Array.from({ length: 11 }, base)],
    ["over 16 KiB", () => [{ ...base(), purpose: "x".repeat(17_000) }]],
    ["an object", () => base()],
    ["a list of texts", () => ["payment_mandate_v1"]],
  ];
  test.each(rows)("%s: invalid_authorization_details", async (_name, value) => {
    expectOAuthError(
      await push({ authorization_details: JSON.stringify(value()) }),
      400,
      "invalid_authorization_details",
    );
  });
  test("not JSON: invalid_authorization_details", async () => {
    expectOAuthError(await push({ authorization_details: "{" }), 400, "invalid_authorization_details");
  });
});
