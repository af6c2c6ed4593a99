import { beforeAll, describe, expect, test } from "vitest";
import { age } from "../../../support/ageing.ts";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { type FormValue, send, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { mandateDetails, obtainCode, obtainMandate } from "../../../support/oauth/mandate-flow.ts";
import { signAssertion } from "../../../support/oauth/oauth-client.ts";
import { clientToken, type Party, postAs, registerAgent, registerMerchant } from "../../../support/oauth/parties.ts";
import { type Exchanger, exchange, makeExchanger, unknownToken } from "../../../support/oauth/token-exchange.ts";

const { sandboxUrl } = currentInstance();
const inactive = '{"active":false}';

let own: Exchanger;
let mandateToken: string;
beforeAll(async () => {
  own = await makeExchanger(sandboxUrl);
  mandateToken = textOf(await exchange(own), "access_token");
});

const introspect = (party: Party, token: FormValue, fields: Record<string, FormValue> = {}) =>
  postAs(party, "/oauth/introspect", { form: { token, ...fields } });

describe("RFC 7662 §2.1: the request", () => {
  test("must be a POST of a form: 405 and 415 otherwise", async () => {
    const answer = await send(`${sandboxUrl}/oauth/introspect?token=${own.accessToken}`);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    const body = JSON.stringify({ token: own.accessToken });
    const json = { method: "POST", headers: { "content-type": "application/json" }, body };
    expect((await send(`${sandboxUrl}/oauth/introspect`, json)).status).toBe(415);
  });

  test("requires authentication, so that callers can't scan for tokens (§4): 401 invalid_client", async () => {
    const none = { client_assertion: undefined, client_assertion_type: undefined };
    expectOAuthError(await introspect(own.agent, own.accessToken, none), 401, "invalid_client");
    const foreign = { client_assertion: await signAssertion({ ...own.agent, id: own.merchant.id }, sandboxUrl) };
    expectOAuthError(await introspect(own.agent, own.accessToken, foreign), 401, "invalid_client");
  });

  test.each([
    ["no token", undefined],
    ["an empty token (RFC 6749 §3.2)", ""],
    ["a token twice (RFC 6749 §3.2)", ["a", "b"]],
  ])("%s: invalid_request", async (_name, token) => {
    expectOAuthError(await introspect(own.agent, token), 400, "invalid_request");
  });

  test.each(["access_token", "refresh_token", "pop_token", "\u00e9"])(
    "ignores the hint %s and looks up all kinds",
    async (token_type_hint) => {
      for (const token of [own.accessToken, own.refreshToken, mandateToken]) {
        expect((await introspect(own.agent, token, { token_type_hint })).json).toMatchObject({ active: true });
      }
      expect((await introspect(own.agent, unknownToken(), { token_type_hint })).text).toBe(inactive);
    },
  );
});

describe("RFC 7662 §2.2: the response for a valid token", () => {
  test("contains the token's claims except our internal epochs, and is never cached (§4)", async () => {
    const answer = await introspect(own.agent, own.accessToken);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json).toMatchObject({
      active: true,
      client_id: own.agent.id,
      token_type: "DPoP",
      iss: sandboxUrl,
      aud: sandboxUrl,
      sub: expect.any(String),
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: expect.any(Number),
      cnf: { jkt: expect.any(String) },
      authorization_details: [{ identifier: own.mandateId }],
    });
    expect(Object.keys(answer.json ?? {}).filter((name) => name.includes("epoch"))).toEqual([]);
  });

  test("describes a refresh token to its client without a token_type, because it isn't used at resources", async () => {
    const answer = await introspect(own.agent, own.refreshToken);
    expect(answer.json).toMatchObject({ active: true, client_id: own.agent.id, grant_id: own.grantId });
    expect(answer.json).not.toHaveProperty("token_type");
  });

  test("describes a merchant's own client_credentials token", async () => {
    const answer = await introspect(own.merchant, await clientToken(own.merchant));
    expect(answer.json).toMatchObject({
      active: true,
      token_type: "Bearer",
      sub: own.merchant.id,
      aud: `${sandboxUrl}/merchant_test`,
      scope: "mandates.verify charges.write charges.read refunds.write",
    });
  });

  test("describes the mandate tokens that are addressed to the merchant (docs/spec/oauth.md, Introspection)", async () => {
    const answer = await introspect(own.merchant, mandateToken);
    expect(answer.json).toMatchObject({
      active: true,
      aud: own.merchant.merchantId,
      client_id: own.agent.id,
      spend_id: expect.any(String),
      authorization_details: [{ identifier: own.mandateId }],
    });
    expect((await introspect(own.agent, mandateToken)).json).toMatchObject({ active: true });
  });
});

describe("RFC 7662 §2.2: any other token is inactive, and no reason is given", () => {
  const ended = () => obtainMandate(own.agent, mandateDetails(own.merchant.merchantId));
  const tampered = (token: string) => `${token.slice(0, -4)}AAAA`;
  const rows: [string, () => Promise<[Party, string]>][] = [
    ["an unknown token", async () => [own.agent, unknownToken()]],
    ["a long meaningless token within the form's limit", async () => [own.agent, "x".repeat(60_000)]],
    ["a token with a changed signature", async () => [own.agent, tampered(own.accessToken)]],
    ["a token without its signature", async () => [own.agent, `${own.accessToken.split(".", 2).join(".")}.`]],
    [
      "an authorization code",
      async () => [own.agent, (await obtainCode(own.agent, [mandateDetails(own.merchant.merchantId)])).code],
    ],
    ["the caller's own assertion", async () => [own.agent, await signAssertion(own.agent, sandboxUrl)]],
    ["another client's access token", async () => [await registerAgent(sandboxUrl), own.accessToken]],
    ["another client's refresh token", async () => [await registerAgent(sandboxUrl), own.refreshToken]],
    ["an agent's access token, to the merchant that its mandate names", async () => [own.merchant, own.accessToken]],
    ["an agent's refresh token, to that merchant", async () => [own.merchant, own.refreshToken]],
    ["a mandate token, to another merchant", async () => [await registerMerchant(sandboxUrl), mandateToken]],
    ["a mandate token, to another agent", async () => [await registerAgent(sandboxUrl), mandateToken]],
    [
      "a merchant's token, to another merchant",
      async () => [await registerMerchant(sandboxUrl), await clientToken(own.merchant)],
    ],
    [
      "a revoked access token",
      async () => {
        const { accessToken } = await ended();
        await postAs(own.agent, "/oauth/revoke", { form: { token: accessToken } });
        return [own.agent, accessToken];
      },
    ],
    [
      "a revoked refresh token",
      async () => {
        const { refreshToken } = await ended();
        await postAs(own.agent, "/oauth/revoke", { form: { token: refreshToken } });
        return [own.agent, refreshToken];
      },
    ],
    [
      "an expired refresh token",
      async () => {
        const { refreshToken } = await ended();
        await age("refreshToken", refreshToken, 366 * 86_400);
        return [own.agent, refreshToken];
      },
    ],
  ];
  test.each(rows)("%s", async (_name, make) => {
    const answer = await introspect(...(await make()));
    expect([answer.status, answer.text]).toEqual([200, inactive]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});
