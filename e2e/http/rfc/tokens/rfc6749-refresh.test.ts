import { beforeAll, describe, expect, test } from "vitest";
import { age } from "../../../support/ageing.ts";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { type Answer, type FormValue, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import {
  charge,
  type Granted,
  mandateDetails,
  mandateIdOf,
  obtainMandate,
} from "../../../support/oauth/mandate-flow.ts";
import {
  clientToken,
  type Merchant,
  type Party,
  postAs,
  registerAgent,
  registerMerchant,
} from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();

let fapi: Party;
let rotating: Party;
let merchant: Merchant;
beforeAll(async () => {
  [fapi, rotating, merchant] = await Promise.all([
    registerAgent(sandboxUrl),
    registerAgent(sandboxUrl, { metadata: { dpop_bound_access_tokens: false } }),
    registerMerchant(sandboxUrl),
  ]);
});

const grant = (agent: Party) => obtainMandate(agent, mandateDetails(merchant.merchantId));

const refresh = (
  agent: Party,
  { refreshToken, dpop }: Pick<Granted, "refreshToken" | "dpop">,
  fields: Record<string, FormValue> = {},
): Promise<Answer> =>
  postAs(agent, "/oauth/token", {
    form: { grant_type: "refresh_token", refresh_token: refreshToken, ...fields },
    dpop,
  });

const isActive = async (agent: Party, token: string): Promise<unknown> =>
  (await postAs(agent, "/oauth/introspect", { form: { token } })).json?.["active"];

describe("RFC 6749 §6: a refresh may request only what was granted", () => {
  const rows: [string, string, (granted: Granted) => Record<string, FormValue>][] = [
    ["a scope that wasn't granted", "invalid_scope", () => ({ scope: "grant_management_query" })],
    ["a malformed scope (§3.3)", "invalid_scope", () => ({ scope: "a  b" })],
    ["another server's resource (RFC 8707 §2.2)", "invalid_target", () => ({ resource: "https://other.example" })],
    ["no token", "invalid_request", () => ({ refresh_token: undefined })],
    ["an unknown token", "invalid_grant", () => ({ refresh_token: "unknown" })],
    [
      "a higher cap (RFC 9396 §6.1)",
      "invalid_authorization_details",
      ({ mandateId }) => ({
        authorization_details: JSON.stringify([
          { type: "payment_mandate_v1", identifier: mandateId, max_total_amount: 100_001 },
        ]),
      }),
    ],
    ["an empty list of details", "invalid_authorization_details", () => ({ authorization_details: "[]" })],
    [
      "details without a mandate",
      "invalid_authorization_details",
      () => ({ authorization_details: '[{"type":"payment_mandate_v1"}]' }),
    ],
  ];
  test.each(rows)("%s: responds with %s, and the token still works", async (_name, code, fieldsOf) => {
    for (const agent of [fapi, rotating]) {
      const granted = await grant(agent);
      expectOAuthError(await refresh(agent, granted, fieldsOf(granted)), 400, code);
      expect((await refresh(agent, granted)).status).toBe(200);
    }
  });

  test("narrows the details of one access token; the refresh token keeps all granted details", async () => {
    const granted = await grant(fapi);
    const authorization_details = JSON.stringify([
      { type: "payment_mandate_v1", identifier: granted.mandateId, max_payments: 3 },
    ]);
    const narrower = await refresh(fapi, granted, { authorization_details });
    expect(narrower.json).toMatchObject({ authorization_details: [{ max_payments: 3 }] });
    const all = await refresh(fapi, granted);
    expect(mandateIdOf(all)).toBe(granted.mandateId);
    expect(JSON.stringify(all.json)).not.toContain("max_payments");
  });

  test("refuses another client's refresh token with invalid_grant, without treating it as reuse", async () => {
    const granted = await grant(rotating);
    expectOAuthError(await refresh(await registerAgent(sandboxUrl), granted), 400, "invalid_grant");
    expect((await refresh(rotating, granted)).status).toBe(200);
  });
});

describe("RFC 9700 §4.14.2: accepts a rotating token once (docs/spec/oauth.md, Refresh tokens)", () => {
  test("an identical retry within 30 seconds gets the same successor and a new access token", async () => {
    const granted = await grant(rotating);
    const first = await refresh(rotating, granted);
    await age("refreshToken", granted.refreshToken, 5);
    const second = await refresh(rotating, granted);
    expect(textOf(second, "refresh_token")).toBe(textOf(first, "refresh_token"));
    expect(textOf(second, "access_token")).not.toBe(textOf(first, "access_token"));
  });

  const reuses: [string, (granted: Granted, first: Answer) => Promise<unknown>, Record<string, FormValue>][] = [
    ["more than 30 seconds after the first", (granted) => age("refreshToken", granted.refreshToken, 31), {}],
    [
      "after the successor was used",
      (granted, first) => refresh(rotating, { ...granted, refreshToken: textOf(first, "refresh_token") }),
      {},
    ],
    ["for another resource", async () => {}, { resource: sandboxUrl }],
  ];
  test.each(reuses)(
    "a second use %s ends the tokens of the family, but not the mandate",
    async (_name, between, fields) => {
      const granted = await grant(rotating);
      const first = await refresh(rotating, granted);
      await between(granted, first);
      expectOAuthError(await refresh(rotating, granted, fields), 400, "invalid_grant");
      const successor = { ...granted, refreshToken: textOf(first, "refresh_token") };
      expectOAuthError(await refresh(rotating, successor), 400, "invalid_grant");
      for (const token of [granted.accessToken, textOf(first, "access_token"), successor.refreshToken]) {
        expect(await isActive(rotating, token)).toBe(false);
      }
      const charged = await charge({ ...granted, merchant, merchantToken: await clientToken(merchant) });
      expect(charged.status, charged.text).toBe(201);
    },
  );
});

describe("FAPI 2.0 §5.3.2.1: doesn't rotate a FAPI client's token", () => {
  test("accepts the same token long after the first refresh", async () => {
    const granted = await grant(fapi);
    for (let round = 0; round < 3; round++) {
      const answer = await refresh(fapi, granted);
      expect(answer.json).not.toHaveProperty("refresh_token");
      await age("refreshToken", granted.refreshToken, 60);
    }
  });

  test("expires a year after its issue", async () => {
    const granted = await grant(fapi);
    await age("refreshToken", granted.refreshToken, 366 * 86_400);
    expectOAuthError(await refresh(fapi, granted), 400, "invalid_grant");
  });
});
