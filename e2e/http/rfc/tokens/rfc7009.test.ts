import { beforeAll, describe, expect, test } from "vitest";
import { age } from "../../../support/ageing.ts";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { type FormValue, send, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import {
  agentGet,
  type ChargeableMandate,
  charge,
  mandateDetails,
  obtainMandate,
} from "../../../support/oauth/mandate-flow.ts";
import { signAssertion, signProof } from "../../../support/oauth/oauth-client.ts";
import { clientToken, type Party, postAs, registerAgent } from "../../../support/oauth/parties.ts";
import { type Exchanger, exchange, makeExchanger, unknownToken } from "../../../support/oauth/token-exchange.ts";

const { sandboxUrl } = currentInstance();

let own: Exchanger;
beforeAll(async () => {
  own = await makeExchanger(sandboxUrl);
});

/** Tokens of a separate grant, so that a revocation ends no other test's tokens. */
const fresh = async (): Promise<Exchanger> => ({
  ...own,
  ...(await obtainMandate(own.agent, mandateDetails(own.merchant.merchantId))),
});

const revoke = (party: Party, token: FormValue, fields: Record<string, FormValue> = {}) =>
  postAs(party, "/oauth/revoke", { form: { token, ...fields } });

const isActive = async (party: Party, token: string): Promise<unknown> =>
  (await postAs(party, "/oauth/introspect", { form: { token } })).json?.["active"];

const refresh = ({ agent, refreshToken, dpop }: Exchanger) =>
  postAs(agent, "/oauth/token", { form: { grant_type: "refresh_token", refresh_token: refreshToken }, dpop });

describe("RFC 7009 §2.1: the request", () => {
  test("must be a POST: a token in the query isn't revoked", async () => {
    const answer = await send(`${sandboxUrl}/oauth/revoke?token=${own.accessToken}`);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    expect(await isActive(own.agent, own.accessToken)).toBe(true);
  });

  test("requires authentication: 401 invalid_client", async () => {
    const none = { client_assertion: undefined, client_assertion_type: undefined };
    expectOAuthError(await revoke(own.agent, own.accessToken, none), 401, "invalid_client");
    const client_assertion = await signAssertion({ ...own.agent, id: own.merchant.id }, sandboxUrl);
    expectOAuthError(await revoke(own.agent, own.accessToken, { client_assertion }), 401, "invalid_client");
    expect(await isActive(own.agent, own.accessToken)).toBe(true);
  });

  test.each([
    ["no token", undefined],
    ["an empty token", ""],
    ["a token twice", ["a", "b"]],
  ])("%s: invalid_request", async (_name, token) => {
    expectOAuthError(await revoke(own.agent, token), 400, "invalid_request");
  });

  test.each(["refresh_token", "access_token", "urn:example:unknown"])(
    "ignores the hint %s, right or wrong",
    async (token_type_hint) => {
      const { accessToken, refreshToken } = await fresh();
      for (const token of [accessToken, refreshToken]) {
        expect((await revoke(own.agent, token, { token_type_hint })).status).toBe(200);
        expect(await isActive(own.agent, token)).toBe(false);
      }
    },
  );
});

describe("RFC 7009 §2.1: refuses a token that was issued to another client", () => {
  test("an access, a refresh and a mandate token keep working after another client or the merchant tried to revoke them", async () => {
    const mandateToken = textOf(await exchange(own), "access_token");
    for (const party of [await registerAgent(sandboxUrl), own.merchant]) {
      for (const token of [own.accessToken, own.refreshToken, mandateToken]) {
        expectOAuthError(await revoke(party, token), 400, "invalid_grant");
      }
    }
    for (const token of [own.accessToken, own.refreshToken, mandateToken]) {
      expect(await isActive(own.agent, token)).toBe(true);
    }
  });
});

describe("RFC 7009 §2.2: an invalid token isn't an error, because it is already unusable", () => {
  const rows: [string, () => Promise<string>][] = [
    ["unknown", async () => unknownToken()],
    ["a JWT that isn't ours", async () => signAssertion(own.agent, sandboxUrl)],
    ["a token with a changed signature", async () => `${own.accessToken.slice(0, -4)}AAAA`],
    [
      "a revoked access token",
      async () => {
        const { accessToken } = await fresh();
        await revoke(own.agent, accessToken);
        return accessToken;
      },
    ],
    [
      "a revoked refresh token",
      async () => {
        const { refreshToken } = await fresh();
        await revoke(own.agent, refreshToken);
        return refreshToken;
      },
    ],
    [
      "an expired refresh token",
      async () => {
        const { refreshToken } = await fresh();
        await age("refreshToken", refreshToken, 366 * 86_400);
        return refreshToken;
      },
    ],
  ];
  test.each(rows)("responds with 200 without a body to %s", async (_name, make) => {
    const answer = await revoke(own.agent, await make());
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

describe("a revocation takes effect at the next request (docs/spec/oauth.md, Revocation)", () => {
  test("revoking an access token (a JWT) ends only that token", async () => {
    const granted = await fresh();
    const second = textOf(await refresh(granted), "access_token");
    expect((await revoke(own.agent, granted.accessToken)).status).toBe(200);
    expect(await isActive(own.agent, granted.accessToken)).toBe(false);
    expectOAuthError(await readCharges(granted), 401, "invalid_token");
    expect(await isActive(own.agent, second)).toBe(true);
    expect((await refresh(granted)).status).toBe(200);
  });

  test("revoking a mandate token ends only that token", async () => {
    const granted = await fresh();
    const token = textOf(await exchange(granted), "access_token");
    expect((await revoke(own.agent, token)).status).toBe(200);
    expect([await isActive(own.merchant, token), await isActive(own.agent, granted.accessToken)]).toEqual([
      false,
      true,
    ]);
  });

  test("revoking a refresh token ends its grant's access and mandate tokens, and the mandate", async () => {
    const granted = await fresh();
    const mandateToken = textOf(await exchange(granted), "access_token");
    expect((await revoke(own.agent, granted.refreshToken)).status).toBe(200);
    for (const token of [granted.accessToken, mandateToken, granted.refreshToken]) {
      expect(await isActive(own.agent, token)).toBe(false);
    }
    expectOAuthError(await readCharges(granted), 401, "invalid_token");
    expectOAuthError(await refresh(granted), 400, "invalid_grant");
    const charged = await charge({ ...granted, merchantToken: await clientToken(own.merchant) });
    expect(charged.json).toMatchObject({ reasons: [{ code: "mandate_revoked" }] });
  });

  test("another grant of the same client and payer isn't affected", async () => {
    const [ended, live] = [await fresh(), await fresh()];
    await revoke(own.agent, ended.refreshToken);
    expect(await isActive(own.agent, live.accessToken)).toBe(true);
    expect((await refresh(live)).status).toBe(200);
  });

  test("the merchants' resource refuses a merchant's revoked client_credentials token", async () => {
    const token = await clientToken(own.merchant);
    const read = () => send(`${sandboxUrl}/merchant_test/charges`, { headers: { authorization: `Bearer ${token}` } });
    expect((await read()).status).toBe(200);
    expect((await revoke(own.merchant, token)).status).toBe(200);
    expect((await read()).status).toBe(401);
  });

  const readCharges = (granted: Exchanger) =>
    agentGet(
      { ...granted, merchantToken: "" } satisfies ChargeableMandate,
      `/oauth/mandates/${granted.mandateId}/charges`,
    );
});

test("RFC 7009 §2.2.1: responds with unsupported_token_type to a token that can't be revoked here, such as a credential", async () => {
  const { accessToken, mandateId, dpop } = own;
  const url = `${sandboxUrl}/oauth/mandates/${mandateId}/credential`;
  for (const accept of ["application/dc+sd-jwt", "application/vc+jwt"]) {
    const proof = await signProof(dpop, { method: "GET", url, accessToken });
    const credential = await send(url, { headers: { authorization: `DPoP ${accessToken}`, dpop: proof, accept } });
    expect(credential.status).toBe(200);
    expectOAuthError(await revoke(own.agent, credential.text), 400, "unsupported_token_type");
  }
});
