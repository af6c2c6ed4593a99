import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { type Answer, send } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import {
  codeForm,
  mandateDetails,
  obtainCode,
  obtainMandate,
  pushFields,
} from "../../../support/oauth/mandate-flow.ts";
import { makeKey } from "../../../support/oauth/oauth-client.ts";
import { type Merchant, type Party, postAs, registerAgent, registerMerchant } from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();

let agent: Party;
let merchant: Merchant;
beforeAll(async () => {
  [agent, merchant] = await Promise.all([registerAgent(sandboxUrl), registerMerchant(sandboxUrl)]);
});

const push = (fields: Record<string, string>) =>
  postAs(agent, "/oauth/par", { form: pushFields([mandateDetails(merchant.merchantId)], fields).form });

describe("RFC 9396 §5: refuses what can't be granted (docs/spec/payments.md, Mandate fields)", () => {
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
    ["a purpose with text direction controls", () => [{ ...base(), purpose: "pay \u202e0001" }]],
    ["a type that isn't a text (§2)", () => [{ ...base(), type: 1 }]],
    ["an item that is null", () => [null]],
    ["an identifier, which only a replacement may contain", () => [{ ...base(), identifier: "mdt_any" }]],
    ["a location that isn't ours (§2.2)", () => [{ ...base(), locations: ["https://other.example"] }]],
    ["a valid item and an invalid one", () => [base(), { ...base(), currency: "???" }]],
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
  test("responds with invalid_authorization_details to text that isn't JSON", async () => {
    expectOAuthError(await push({ authorization_details: "{" }), 400, "invalid_authorization_details");
  });
});

describe("RFC 9396 §10: a client may use only the types that it registered", () => {
  test.each([
    ["gets invalid_authorization_details if it registered none of them", [], 400],
    ["can use a registered type", ["payment_mandate_v1"], 201],
  ])("%s", async (_name, authorization_details_types, status) => {
    const party = await registerAgent(sandboxUrl, { metadata: { authorization_details_types } });
    const answer = await postAs(party, "/oauth/par", { form: pushFields([mandateDetails(merchant.merchantId)]).form });
    expect(answer.status, answer.text).toBe(status);
    if (status === 400) expectOAuthError(answer, 400, "invalid_authorization_details");
  });
});

describe("RFC 9396 §2: accepts a list of up to ten items and 16 KiB", () => {
  const ofBytes = (bytes: number) => {
    const text = JSON.stringify([mandateDetails(merchant.merchantId)]);
    return text.replace("[", `[${" ".repeat(bytes - Buffer.byteLength(text))}`);
  };
  test.each([
    ["ten items", () => JSON.stringify(Array.from({ length: 10 }, () => mandateDetails(merchant.merchantId))), 201],
    ["16,384 bytes", () => ofBytes(16_384), 201],
    ["16,385 bytes", () => ofBytes(16_385), 400],
    ["our own location", () => JSON.stringify([located()]), 201],
  ])("%s", async (_name, text, status) => {
    const answer = await push({ authorization_details: text() });
    expect(answer.status, answer.text).toBe(status);
    if (status === 400) expectOAuthError(answer, 400, "invalid_authorization_details");
  });
  const located = () => mandateDetails(merchant.merchantId, { locations: [`${sandboxUrl}/merchant_test`] });
});

describe("RFC 9396 §5: error_description names the field and never repeats its value", () => {
  const rows: [string, string, object][] = [
    ["an amount", "authorization_details[0].max_total_amount", { max_total_amount: 0 }],
    [
      "an amount within a list",
      "authorization_details[0].periodic_limits[0].max_amount",
      { periodic_limits: [{ period: "day", alignment: "calendar", max_amount: -5 }] },
    ],
    ["a type", "authorization_details[0].type", { type: "<b>" }],
    ["a payee", "authorization_details[0].payees[0].id", { payees: [{ id: "mch_<b>" }] }],
    ["an end", "authorization_details[0].valid_until", { valid_until: "2020-01-01T00:00:00Z" }],
  ];
  test.each(rows)("%s", async (_name, field, change) => {
    const item = { ...mandateDetails(merchant.merchantId), ...change };
    const answer = await push({ authorization_details: JSON.stringify([item]) });
    expectOAuthError(answer, 400, "invalid_authorization_details");
    expect(answer.json?.["error_description"]).toContain(`${field}:`);
    expect(answer.text).not.toContain("<b>");
  });
});

describe("RFC 9396 §6, §7: the token request and its response", () => {
  const two = () => [mandateDetails(merchant.merchantId), mandateDetails(merchant.merchantId, { purpose: "Second" })];
  const identifiers = (answer: Answer) =>
    ((answer.json?.["authorization_details"] ?? []) as { identifier: string }[]).map(({ identifier }) => identifier);
  const redeem = async (authorization_details?: string) => {
    const code = await obtainCode(agent, two());
    return postAs(agent, "/oauth/token", { form: codeForm(code, { authorization_details }), dpop: code.dpop });
  };

  /** A code for two mandates: a new one, and a replaced one, whose identifier the client already knows. */
  const replaced = async () => {
    const { mandateId: identifier, grantId } = await obtainMandate(agent, mandateDetails(merchant.merchantId));
    const [first, second] = two();
    const items = [{ ...first, identifier, max_total_amount: 200_000 }, second ?? {}];
    const fields = { grant_management_action: "replace", grant_id: grantId };
    const code = await obtainCode(agent, items, { fields });
    const redeemFor = (changes: object) => {
      const authorization_details = JSON.stringify([{ type: "payment_mandate_v1", ...changes }]);
      return postAs(agent, "/oauth/token", { form: codeForm(code, { authorization_details }), dpop: code.dpop });
    };
    return { identifier, redeemFor };
  };

  test("returns the details as granted, with the payer's choices and the scope (§7, §3.1)", async () => {
    const code = await obtainCode(agent, two(), { fields: { scope: "grant_management_query" } });
    const answer = await postAs(agent, "/oauth/token", { form: codeForm(code), dpop: code.dpop });
    expect(answer.json).toMatchObject({ scope: "grant_management_query" });
    expect(answer.json?.["authorization_details"]).toHaveLength(2);
    for (const item of (answer.json?.["authorization_details"] ?? []) as object[]) {
      expect(item).toMatchObject({
        type: "payment_mandate_v1",
        identifier: expect.stringMatching(/^mdt_/),
        payment_instrument: { id: expect.stringMatching(/^pm_/), type: "card" },
        valid_until: expect.stringMatching(/Z$/),
      });
    }
  });

  test("redeems a code for fewer of the granted details, named by identifier (§6)", async () => {
    const { identifier, redeemFor } = await replaced();
    expectOAuthError(await redeemFor({ identifier: "mdt_unknown" }), 400, "invalid_authorization_details");
    const one = await redeemFor({ identifier, max_payments: 1 });
    expect(one.status, `after refused requests, the code still works: ${one.text}`).toBe(200);
    expect(one.json?.["authorization_details"]).toMatchObject([{ identifier, max_payments: 1 }]);
    expect(identifiers(one)).toHaveLength(1);
  });

  test.each([
    ["a wider value", { max_total_amount: 999_999 }],
    ["another type", { type: "other" }],
    ["no type (§2)", { type: undefined }],
    ["a change of a member that must be as granted", { currency: "USD" }],
  ])("responds with invalid_authorization_details to %s in the token request (§8)", async (_name, change) => {
    const { identifier, redeemFor } = await replaced();
    expectOAuthError(await redeemFor({ identifier, ...change }), 400, "invalid_authorization_details");
  });

  test("responds with invalid_authorization_details to a token request whose details aren't a list (§8)", async () => {
    expectOAuthError(await redeem("{}"), 400, "invalid_authorization_details");
  });

  test("responds with invalid_authorization_details to details that aren't JSON (§8)", async () => {
    expectOAuthError(await redeem("{"), 400, "invalid_authorization_details");
  });

  test("a refresh can request fewer details, and the next refresh all of them (§6.1)", async () => {
    const code = await obtainCode(agent, two());
    const first = await postAs(agent, "/oauth/token", { form: codeForm(code), dpop: code.dpop });
    const [one] = identifiers(first);
    const refresh = (authorization_details?: string) =>
      postAs(agent, "/oauth/token", {
        form: {
          grant_type: "refresh_token",
          refresh_token: String(first.json?.["refresh_token"]),
          ...(authorization_details === undefined ? {} : { authorization_details }),
        },
        dpop: code.dpop,
      });
    expect(identifiers(await refresh(JSON.stringify([{ type: "payment_mandate_v1", identifier: one }])))).toEqual([
      one,
    ]);
    expect(identifiers(await refresh())).toEqual(identifiers(first));
  });

  test("refuses details with client credentials: invalid_authorization_details", async () => {
    const metadata = { grant_types: ["authorization_code", "client_credentials"] };
    const alone = await registerAgent(sandboxUrl, { metadata });
    const fields = { grant_type: "client_credentials", authorization_details: JSON.stringify(two()) };
    expectOAuthError(
      await postAs(alone, "/oauth/token", { form: fields, dpop: await makeKey() }),
      400,
      "invalid_authorization_details",
    );
  });
});

describe("RFC 9396 §9: a resource can read the granted details", () => {
  test("in the token's claim and in the introspection response (§9.1, §9.2)", async () => {
    const granted = await obtainMandate(agent, mandateDetails(merchant.merchantId));
    const claims = decodeJwt(granted.accessToken);
    const introspection = await postAs(agent, "/oauth/introspect", { form: { token: granted.accessToken } });
    expect(claims["authorization_details"]).toMatchObject([{ identifier: granted.mandateId }]);
    expect(introspection.json?.["authorization_details"]).toEqual(claims["authorization_details"]);
  });
});

describe("RFC 9396 §10 and OAuth 2.0 RAR Metadata: types and their schemas", () => {
  test("metadata lists the types and the URL of their schemas", async () => {
    expect((await send(`${sandboxUrl}/.well-known/oauth-authorization-server`)).json).toMatchObject({
      authorization_details_types_supported: ["payment_mandate_v1"],
      authorization_details_types_metadata_endpoint: `${sandboxUrl}/oauth/authorization-details-types`,
    });
  });

  test("a client registers the types that it uses; an unknown one is refused with invalid_client_metadata", async () => {
    const metadata = { authorization_details_types: ["payment_mandate_v1"] };
    expect((await registerAgent(sandboxUrl, { metadata })).registration).toMatchObject(metadata);
    await expect(registerAgent(sandboxUrl, { metadata: { authorization_details_types: ["other"] } })).rejects.toThrow(
      "invalid_client_metadata",
    );
  });

  test("GET returns one member per type, each with an inline schema of one item, and allows any origin", async () => {
    const answer = await send(`${sandboxUrl}/oauth/authorization-details-types`, {
      headers: { origin: "https://any.example" },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(Object.keys(answer.json ?? {})).toEqual(["payment_mandate_v1"]);
    const described = answer.json?.["payment_mandate_v1"] as Record<string, unknown>;
    expect(described).not.toHaveProperty("schema_uri");
    expect(described["schema"]).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      additionalProperties: false,
      required: ["type", "actions", "currency"],
      properties: { type: { const: "payment_mandate_v1" }, max_total_amount: { minimum: 1, maximum: 99_999_999_999 } },
    });
    expect(described["description"]).toEqual(expect.any(String));
  });

  test("the examples in the metadata can be pushed unchanged", async () => {
    const types = (await send(`${sandboxUrl}/oauth/authorization-details-types`)).json ?? {};
    for (const { examples } of Object.values(types) as { examples: object[] }[]) {
      expect(examples.length).toBeGreaterThan(0);
      const answer = await push({ authorization_details: JSON.stringify(examples) });
      expect(answer.status, answer.text).toBe(201);
    }
  });
});
