import { setTimeout as sleep } from "node:timers/promises";
import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8 } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { age } from "../../support/ageing.ts";
import { expectOAuthError } from "../../support/answers/error-shape.ts";
import { type Answer, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import {
  authorize,
  type FapiClient,
  grantTokens,
  readResource,
  redeem,
  registerPair,
} from "../../support/oauth/fapi-clients.ts";
import { makePkce, signAssertion } from "../../support/oauth/oauth-client.ts";
import { type Posting, postAs, registerAgent } from "../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const now = () => Math.floor(Date.now() / 1000);

let first: FapiClient;
let second: FapiClient;
beforeAll(async () => {
  [first, second] = await registerPair(sandboxUrl);
});

describe("an authorization code (FAPI 2.0 §5.3.2.2)", () => {
  test("ensure-authorization-code-is-bound-to-client: is refused for another client", async () => {
    const code = await authorize(first);
    const redirected = { redirect_uri: first.redirectUri };
    expectOAuthError(
      await redeem(second, code, { fields: redirected, posting: { dpop: first.dpop } }),
      400,
      "invalid_grant",
    );
    expectOAuthError(await redeem(second, code, { fields: redirected }), 400, "invalid_grant");
    expect((await redeem(first, code)).status).toBe(200);
  });

  test("attempt-reuse-authorization-code-after-one-second: is refused when used again, which revokes the tokens of the first use (RFC 6749 §4.1.2)", async () => {
    const code = await authorize(first);
    const granted = await redeem(first, code);
    expect((await readResource(first, granted)).status).toBe(200);
    await sleep(1000);
    expectOAuthError(await redeem(first, code), 400, "invalid_grant");
    expectOAuthError(await readResource(first, granted), 401, "invalid_token");
  });

  test("ensure-token-endpoint-fails-with-expired-auth-code: is accepted for 60 s, then refused", async () => {
    const [inTime, late] = [await authorize(first), await authorize(first)];
    await age("code", inTime.code, 50);
    await age("code", late.code, 60);
    expect((await redeem(first, inTime)).status).toBe(200);
    expectOAuthError(await redeem(first, late), 400, "invalid_grant");
  });

  test("ensure-pkce-code-verifier-required: is refused without a verifier (RFC 7636 §4.6)", async () => {
    expectOAuthError(
      await redeem(first, await authorize(first), { fields: { code_verifier: undefined } }),
      400,
      "invalid_grant",
    );
  });

  test("incorrect-pkce-code-verifier-rejected: is refused with another verifier (RFC 7636 §4.6)", async () => {
    const code_verifier = makePkce().verifier;
    expectOAuthError(await redeem(first, await authorize(first), { fields: { code_verifier } }), 400, "invalid_grant");
  });

  test("ensure-holder-of-key-required: gives no token without a proof of possession (FAPI 2.0 §5.3.2.1)", async () => {
    expectOAuthError(await redeem(first, await authorize(first), { posting: {} }), 400, "invalid_dpop_proof");
  });
});

describe("client authentication at the token endpoint (FAPI 2.0 §5.3.2.1)", () => {
  /** A code that no refused assertion may consume. */
  let code: Awaited<ReturnType<typeof authorize>>;
  beforeAll(async () => {
    code = await authorize(first);
  });
  const redeemWith = async (options: Parameters<typeof signAssertion>[2], audience = sandboxUrl) =>
    redeem(first, code, { fields: { client_assertion: await signAssertion(first, audience, options) } });

  const rows: [string, () => Promise<Answer>][] = [
    [
      "ensure-client-id-in-token-endpoint: claims of the second client, signed by the first",
      async () => {
        const client_assertion = await signAssertion({ id: second.id, privateKey: first.privateKey }, sandboxUrl);
        return redeem(first, code, { fields: { client_id: second.id, client_assertion } });
      },
    ],
    [
      "ensure-client-id-in-token-endpoint: the second client's client_id with the first's assertion",
      () => redeem(first, code, { fields: { client_id: second.id } }),
    ],
    [
      "ensure-client-assertion-in-token-endpoint: no assertion",
      () =>
        redeem(first, code, {
          fields: { client_assertion: undefined, client_assertion_type: undefined, client_id: first.id },
        }),
    ],
    [
      "ensure-client-assertion-with-exp-is-5-minutes-in-past-fails: expired 5 minutes ago",
      () => redeemWith({ claims: { iat: now() - 600, exp: now() - 300 } }),
    ],
    ["ensure-client-assertion-with-wrong-aud-fails: for another server", () => redeemWith({}, "https://other.example")],
    ["ensure-client-assertion-with-no-sub-fails: without sub", () => redeemWith({ claims: { sub: undefined } })],
  ];
  test.each(rows)("%s", async (_title, attempt) => {
    expectOAuthError(await attempt(), 401, "invalid_client");
  });

  test("the code still works after all refusals", async () => {
    expect((await redeem(first, code)).status).toBe(200);
  });

  test("ensure-signed-client-assertion-with-RS256-fails: accepts only PS256 of an RSA key (FAPI 2.0 §5.4)", async () => {
    const { privateKey, publicKey } = await generateKeyPair("PS256", { extractable: true });
    const publicJwk = { ...(await exportJWK(publicKey)), kid: "test" };
    const rsa = await registerAgent(sandboxUrl, { key: { privateKey, publicJwk } });
    const rs256 = { id: rsa.id, privateKey: await importPKCS8(await exportPKCS8(privateKey), "RS256") };
    const present = async (client: typeof rs256, alg: string) =>
      postAs(rsa, "/oauth/introspect", {
        form: {
          token: "any",
          client_assertion: await signAssertion(client, sandboxUrl, { header: { alg } }),
        },
      });
    expectOAuthError(await present(rs256, "RS256"), 401, "invalid_client");
    expect((await present(rsa, "PS256")).status).toBe(200);
  });
});

describe("refresh-token: is bound to its client and requires client authentication and a proof (FAPI 2.0 §5.3.2.1)", () => {
  let tokens: [Answer, Answer];
  beforeAll(async () => {
    tokens = [await grantTokens(first), await grantTokens(second)];
  });
  const refresh = (
    client: FapiClient,
    granted: Answer,
    { posting = client, fields = {} }: { posting?: Posting; fields?: Record<string, string | undefined> } = {},
  ) =>
    postAs(client, "/oauth/token", {
      form: { grant_type: "refresh_token", refresh_token: textOf(granted, "refresh_token"), ...fields },
      ...posting,
    });

  test("contains only the characters of RFC 6749 §A.17", () => {
    expect(textOf(tokens[0], "refresh_token")).toMatch(/^[\x20-\x7e]+$/);
  });

  test("gives each client a new working access token and keeps the refresh token", async () => {
    for (const [client, granted] of [[first, tokens[0]] as const, [second, tokens[1]] as const]) {
      const refreshed = await refresh(client, granted);
      expect(refreshed.status, refreshed.text).toBe(200);
      expect(refreshed.json).toMatchObject({ token_type: "DPoP", expires_in: 300 });
      expect(refreshed.json).not.toHaveProperty("refresh_token");
      expect(refreshed.json?.["access_token"]).not.toBe(granted.json?.["access_token"]);
      expect((await readResource(client, refreshed)).status).toBe(200);
      expect((await refresh(client, granted)).status).toBe(200);
    }
  });

  test("answers invalid_client without client authentication (RFC 6749 §6)", async () => {
    const unproven = { client_assertion: undefined, client_assertion_type: undefined, client_id: first.id };
    expectOAuthError(await refresh(first, tokens[0], { fields: unproven }), 401, "invalid_client");
  });

  test("answers invalid_dpop_proof without a proof (RFC 9449 §5)", async () => {
    expectOAuthError(await refresh(first, tokens[0], { posting: {} }), 400, "invalid_dpop_proof");
  });

  test("answers invalid_grant to the other client, with either key (RFC 6749 §6)", async () => {
    for (const dpop of [first.dpop, second.dpop]) {
      expectOAuthError(await refresh(first, tokens[1], { posting: { dpop } }), 400, "invalid_grant");
    }
  });
});
