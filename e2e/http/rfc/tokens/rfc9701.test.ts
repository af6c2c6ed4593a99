import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { type Answer, send, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { type Party, postAs } from "../../../support/oauth/parties.ts";
import { type Exchanger, exchange, makeExchanger, unknownToken } from "../../../support/oauth/token-exchange.ts";

const { sandboxUrl } = currentInstance();
const jwtType = "application/token-introspection+jwt";

let own: Exchanger;
let jwks: JSONWebKeySet;
beforeAll(async () => {
  own = await makeExchanger(sandboxUrl);
  jwks = (await send(`${sandboxUrl}/.well-known/jwks.json`)).json as unknown as JSONWebKeySet;
});

const introspect = (party: Party, token: string, accept: string = jwtType): Promise<Answer> =>
  postAs(party, "/oauth/introspect", { form: { token }, headers: { accept } });

const verify = (answer: Answer, audience: string) =>
  jwtVerify(answer.text, createLocalJWKSet(jwks), {
    issuer: sandboxUrl,
    audience,
    typ: "token-introspection+jwt",
    algorithms: ["ES256"],
    requiredClaims: ["iat", "token_introspection"],
  });

describe("RFC 9701 §5: the signed response", () => {
  test("contains the JSON response, and its audience is the caller", async () => {
    const answer = await introspect(own.agent, own.accessToken);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, jwtType]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("vary")).toBe("Accept");
    const { payload } = await verify(answer, own.agent.id);
    const plain = await introspect(own.agent, own.accessToken, "application/json");
    expect(payload["token_introspection"]).toEqual(plain.json);
    expect(payload["token_introspection"]).toMatchObject({ active: true, client_id: own.agent.id });
  });

  test("has the token's claims only inside token_introspection, so that it isn't mistaken for an access token (§8.1)", async () => {
    const { payload } = await verify(await introspect(own.agent, own.accessToken), own.agent.id);
    expect(Object.keys(payload).sort()).toEqual(["aud", "iat", "iss", "token_introspection"]);
  });

  test("has the requesting client as its audience, even for a mandate token, whose audience is the merchant", async () => {
    const token = textOf(await exchange(own), "access_token");
    const { payload } = await verify(await introspect(own.merchant, token), own.merchant.id);
    expect(payload["token_introspection"]).toMatchObject({ active: true, aud: own.merchant.merchantId });
  });

  test("reports an unknown token, another client's token and a changed token as inactive, without a reason", async () => {
    for (const [party, token] of [
      [own.agent, unknownToken()],
      [own.merchant, own.accessToken],
      [own.agent, `${own.accessToken.slice(0, -4)}AAAA`],
    ] as const) {
      const { payload } = await verify(await introspect(party, token), party.id);
      expect(payload["token_introspection"]).toEqual({ active: false });
    }
  });

  test("is signed with a key that signs no access tokens (docs/spec/oauth.md, Signing keys)", async () => {
    const answer = await introspect(own.agent, own.accessToken);
    const [signer, issuer] = [answer.text, own.accessToken].map((jwt) => decodeProtectedHeader(jwt).kid);
    expect(signer).not.toBe(issuer);
  });

  test("isn't accepted as a token anywhere", async () => {
    const { text } = await introspect(own.agent, own.accessToken);
    const headers = { authorization: `Bearer ${text}` };
    expectOAuthError(
      await send(`${sandboxUrl}/oauth/mandates/${own.mandateId}/charges`, { headers }),
      401,
      "invalid_token",
    );
    expectOAuthError(await exchange({ ...own, accessToken: text }), 400, "invalid_request");
    expect((await introspect(own.agent, text, "application/json")).text).toBe('{"active":false}');
  });

  test("errors are still JSON (RFC 7662 §2.3)", async () => {
    expectOAuthError(await introspect(own.agent, ""), 400, "invalid_request");
  });
});

describe("RFC 9701 §4, RFC 9110 §12.5.1: Accept selects the format", () => {
  test.each([
    ["application/json", "application/json"],
    ["*/*", "application/json"],
    ["application/*", "application/json"],
    [`${jwtType}, application/json`, "application/json"],
    [`${jwtType}, application/json;q=0.9`, jwtType],
    [`application/json, ${jwtType};q=0.9`, "application/json"],
    [`application/json;q=0, */*;q=0.1`, jwtType],
    [`*/*;q=0.1, ${jwtType};q=0.2`, jwtType],
    [`${jwtType};q=0, */*`, "application/json"],
    ["APPLICATION/Token-Introspection+JWT", jwtType],
    ["text/html, application/xhtml+xml, */*;q=0.8", "application/json"],
  ])("%s is answered with %s", async (accept, expected) => {
    const answer = await introspect(own.agent, own.accessToken, accept);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expected]);
  });

  test.each(["application/jwt", "text/html", `${jwtType};q=0`])(
    'responds with 406 to "Accept: %s", and lists the available types',
    async (accept) => {
      const answer = await introspect(own.agent, own.accessToken, accept);
      expectOAuthError(answer, 406);
      expect(answer.json?.["error_description"]).toContain(jwtType);
    },
  );
});

test("RFC 9701 §7: metadata names the algorithm", async () => {
  const metadata = await send(`${sandboxUrl}/.well-known/oauth-authorization-server`);
  expect(metadata.json).toMatchObject({ introspection_signing_alg_values_supported: ["ES256"] });
});
