import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../support/error-shape.ts";
import { currentInstance } from "../../support/instance.ts";
import * as flow from "../../support/mandate-flow.ts";
import type { Signer } from "../../support/oauth-client.ts";
import { type Merchant, type Party, postAs, registerAgent, registerMerchant } from "../../support/parties.ts";
import { textOf } from "../../support/wire.ts";

const { sandboxUrl } = currentInstance();
let agent: Party;
let merchant: Merchant;
beforeAll(async () => {
  [agent, merchant] = await Promise.all([registerAgent(sandboxUrl), registerMerchant(sandboxUrl)]);
});
const token = (fields: Record<string, string | undefined>, dpop?: Signer, party = agent) =>
  postAs(party, "/oauth/token", fields, dpop ? { dpop } : {});

describe("refresh (RFC 6749 §6; 1-oauth, Refresh)", () => {
  test("a FAPI client's token isn't rotated; narrowing by identifier is allowed", async () => {
    const granted = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    const fields = { grant_type: "refresh_token", refresh_token: granted.refreshToken };
    for (const authorization_details of [undefined, JSON.stringify([{ identifier: granted.mandateId }])]) {
      const answer = await token({ ...fields, authorization_details }, granted.dpop);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json).not.toHaveProperty("refresh_token");
      expect(answer.json).toMatchObject({ authorization_details: [{ identifier: granted.mandateId }] });
    }
  });

  test("widening is refused", async () => {
    const granted = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    const fields = { grant_type: "refresh_token", refresh_token: granted.refreshToken };
    expectOAuthError(await token({ ...fields, scope: "grant_management_query" }, granted.dpop), 400, "invalid_scope");
    const wider = JSON.stringify([{ identifier: granted.mandateId, max_total_amount: 999_999 }]);
    expectOAuthError(
      await token({ ...fields, authorization_details: wider }, granted.dpop),
      400,
      "invalid_authorization_details",
    );
  });

  test("another client's refresh token is unknown", async () => {
    const granted = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    const fields = { grant_type: "refresh_token", refresh_token: granted.refreshToken };
    expectOAuthError(await token(fields, granted.dpop, await registerAgent(sandboxUrl)), 400, "invalid_grant");
  });
});

describe("revocation (RFC 7009)", () => {
  test("of an unknown token is 200 (§2.2), without one invalid_request", async () => {
    expect((await postAs(agent, "/oauth/revoke", { token: "unknown" })).status).toBe(200);
    expectOAuthError(await postAs(agent, "/oauth/revoke", {}), 400, "invalid_request");
  });

  test("of another client's token is refused (§2.1), and the token lives on", async () => {
    const granted = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    const stranger = await registerAgent(sandboxUrl);
    for (const value of [granted.accessToken, granted.refreshToken]) {
      expectOAuthError(await postAs(stranger, "/oauth/revoke", { token: value }), 400);
    }
    expect((await postAs(agent, "/oauth/introspect", { token: granted.accessToken })).json).toMatchObject({
      active: true,
    });
  });

  test("of an access token ends that one alone, at the very next request", async () => {
    const granted = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    const fields = { grant_type: "refresh_token", refresh_token: granted.refreshToken };
    const second = textOf(await token(fields, granted.dpop), "access_token");
    const revoked = await postAs(agent, "/oauth/revoke", { token: granted.accessToken });
    expect([revoked.status, revoked.text]).toEqual([200, ""]);
    const active = async (value: string) =>
      (await postAs(agent, "/oauth/introspect", { token: value })).json?.["active"];
    expect([await active(granted.accessToken), await active(second)]).toEqual([false, true]);
  });

  test("of a refresh token takes its access tokens and its mandate with it (1-oauth, Revoke)", async () => {
    const standing = await flow.makeStanding(sandboxUrl);
    await postAs(standing.agent, "/oauth/revoke", { token: standing.refreshToken });
    expect((await postAs(standing.agent, "/oauth/introspect", { token: standing.accessToken })).text).toBe(
      '{"active":false}',
    );
    expectOAuthError(
      await flow.agentGet(standing, `/oauth/mandates/${standing.mandateId}/charges`),
      401,
      "invalid_token",
    );
    const charged = await flow.charge(standing);
    expect(charged.json).toMatchObject({ reasons: [{ code: "mandate_revoked" }] });
  });
});

describe("introspection (RFC 7662)", () => {
  test("of one's own live token tells its claims, and no epoch of ours", async () => {
    const standing = await flow.makeStanding(sandboxUrl);
    const answer = await postAs(standing.agent, "/oauth/introspect", { token: standing.accessToken });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json).toMatchObject({
      active: true,
      client_id: standing.agent.id,
      token_type: "DPoP",
      iss: sandboxUrl,
      cnf: { jkt: expect.any(String) },
    });
    expect(Object.keys(answer.json ?? {}).filter((name) => name.includes("epoch"))).toEqual([]);
    const refresh = await postAs(standing.agent, "/oauth/introspect", { token: standing.refreshToken });
    expect(refresh.json).toMatchObject({ active: true, client_id: standing.agent.id });
  });

  test("of anything else says inactive and nothing more (§2.2)", async () => {
    const standing = await flow.makeStanding(sandboxUrl);
    const stranger = await registerAgent(sandboxUrl);
    const tampered = `${standing.accessToken.slice(0, -4)}AAAA`;
    for (const [party, value] of [
      [standing.agent, "unknown"],
      [standing.agent, tampered],
      [stranger, standing.accessToken],
      [stranger, standing.refreshToken],
      [standing.merchant, standing.accessToken],
    ] as const) {
      expect((await postAs(party, "/oauth/introspect", { token: value })).text).toBe('{"active":false}');
    }
  });
});
