import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../support/error-shape.ts";
import { currentInstance } from "../../support/instance.ts";
import { mandateDetails, pushFields } from "../../support/mandate-flow.ts";
import { makeKey, signProof } from "../../support/oauth-client.ts";
import {
  type Merchant,
  type Party,
  postAs,
  redirectUri,
  registerAgent,
  registerMerchant,
} from "../../support/parties.ts";
import { postForm } from "../../support/wire.ts";

const { sandboxUrl } = currentInstance();
const registered = ["https://bot.example/cb?fixed=1", redirectUri];

let agent: Party;
let merchant: Merchant;
beforeAll(async () => {
  [agent, merchant] = await Promise.all([
    registerAgent(sandboxUrl, { metadata: { redirect_uris: registered } }),
    registerMerchant(sandboxUrl),
  ]);
});

const details = (limits: object = {}) => [mandateDetails(merchant.merchantId, limits)];
const push = (fields: Record<string, string | undefined> = {}) =>
  postAs(agent, "/oauth/par", pushFields(details(), fields).form);

test("RFC 9126 §2.2: 201 with request_uri and expires_in, never cached", async () => {
  const answer = await push();
  expect(answer.status, answer.text).toBe(201);
  expect(Object.keys(answer.json ?? {}).sort()).toEqual(["expires_in", "request_uri"]);
  expect(answer.json).toEqual({
    request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43,}$/),
    expires_in: 300,
  });
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

describe("a request that can't succeed is refused here (1-oauth, PAR)", () => {
  const rows: [string, string, Record<string, string | undefined>][] = [
    ["request_uri in the body (RFC 9126 §2.1)", "invalid_request", { request_uri: "urn:x" }],
    ["a request object (RFC 9101 §6)", "request_not_supported", { request: "e30.e30." }],
    ["no redirect_uri", "invalid_request", { redirect_uri: undefined }],
    ["an empty redirect_uri, which counts as absent (RFC 6749 §3.1)", "invalid_request", { redirect_uri: "" }],
    ["no response_type", "invalid_request", { response_type: undefined }],
    ["response_type token", "unsupported_response_type", { response_type: "token" }],
    ["response_type code id_token", "unsupported_response_type", { response_type: "code id_token" }],
    ["response_mode fragment", "invalid_request", { response_mode: "fragment" }],
    ["response_mode form_post", "invalid_request", { response_mode: "form_post" }],
    ["prompt none", "invalid_request", { prompt: "none" }],
    ["no code_challenge (RFC 7636 §4.4.1)", "invalid_request", { code_challenge: undefined }],
    ["code_challenge_method plain", "invalid_request", { code_challenge_method: "plain" }],
    ["no code_challenge_method, which means plain", "invalid_request", { code_challenge_method: undefined }],
    ["a challenge of 42 characters", "invalid_request", { code_challenge: "A".repeat(42) }],
    ["a challenge of 44 characters", "invalid_request", { code_challenge: "A".repeat(44) }],
    ["a challenge with other characters", "invalid_request", { code_challenge: `${"A".repeat(42)}=` }],
    ["a state of 4,097 characters", "invalid_request", { state: "s".repeat(4097) }],
    ["max_age that is no number", "invalid_request", { max_age: "-1" }],
    ["a malformed dpop_jkt", "invalid_request", { dpop_jkt: "short" }],
    ["another client_id", "invalid_client", { client_id: "cl_test_other" }],
    ["grant_management_action merge", "invalid_request", { grant_management_action: "merge" }],
    ["an unknown scope", "invalid_scope", { scope: "everything" }],
    ["a merchant's scope", "invalid_scope", { scope: "charges.write" }],
    ["a malformed scope", "invalid_scope", { scope: "a  b" }],
    ["a foreign resource (RFC 8707 §2)", "invalid_target", { resource: "https://other.example" }],
  ];
  test.each(rows)("%s: %s", async (_name, code, fields) => {
    expectOAuthError(await push(fields), code === "invalid_client" ? 401 : 400, code);
  });

  test("by a merchant's client: unauthorized_client", async () => {
    expectOAuthError(await postAs(merchant, "/oauth/par", pushFields(details()).form), 400, "unauthorized_client");
  });

  test("credentials in the query are no credentials (1-oauth, Forms)", async () => {
    const query = new URLSearchParams({ client_id: agent.id, client_assertion: "e30.e30.e30" });
    expectOAuthError(
      await postForm(`${sandboxUrl}/oauth/par?${query}`, pushFields(details()).form),
      401,
      "invalid_client",
    );
  });
});

describe("redirect_uri is compared as raw strings (RFC 9700 §4.1.3)", () => {
  const bad = [
    "https://bot.example/cb",
    "https://bot.example/cb?fixed=1&more=2",
    "https://bot.example/cb/?fixed=1",
    "https://bot.example/cb?fixed=1#",
    "HTTPS://bot.example/cb?fixed=1",
    "https://BOT.example/cb?fixed=1",
    "https://bot.example:443/cb?fixed=1",
    "https://bot.example/x/../cb?fixed=1",
    "https://bot.example/%63b?fixed=1",
    "https://bot.example@evil.example/cb?fixed=1",
    "https://evil.example/cb?fixed=1",
    "http://localhost:9/callback",
    "http://127.0.0.1:9/callback/",
    "http://127.0.0.1:9/callback?x",
    "http://127.0.0.2:9/callback",
    "http://127.0.0.1:9@evil.example/callback",
    "http://127.0.0.1.evil.example:9/callback",
    "https://127.0.0.1:9/callback",
  ];
  test.each(bad)("%s is refused", async (redirect_uri) => {
    expectOAuthError(await push({ redirect_uri }), 400, "invalid_request");
  });
  test.each([...registered, "http://127.0.0.1:51004/callback", "http://127.0.0.1/callback"])(
    "%s is taken (a loopback IP's port is free: RFC 8252 §7.3)",
    async (redirect_uri) => {
      expect((await push({ redirect_uri })).status).toBe(201);
    },
  );
});

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
  test.each([undefined, "[]"])("%s: invalid_request, at least one is needed", async (authorization_details) => {
    expectOAuthError(await push({ authorization_details }), 400, "invalid_request");
  });
});

describe("RFC 9449 §10: the code is bound by a proof or dpop_jkt, and both must agree", () => {
  test("dpop_jkt of another key than the proof's", async () => {
    const key = await makeKey();
    const { form } = pushFields(details(), { dpop_jkt: "A".repeat(43) });
    expectOAuthError(await postAs(agent, "/oauth/par", form, { dpop: key }), 400, "invalid_dpop_proof");
  });
  test("a proof for another endpoint", async () => {
    const proof = await signProof(await makeKey(), { url: `${sandboxUrl}/oauth/token` });
    expectOAuthError(
      await postAs(agent, "/oauth/par", pushFields(details()).form, { proof }),
      400,
      "invalid_dpop_proof",
    );
  });
});
