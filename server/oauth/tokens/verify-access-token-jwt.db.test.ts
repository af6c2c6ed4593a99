import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { newSecret } from "../../kernel/ids.ts";
import type { KeyPurpose } from "../../kernel/key-purpose.ts";
import { signAccessToken } from "./sign-access-token.ts";
import { verifyAccessTokenJwt, verifyIssuedTokenJwt } from "./verify-access-token-jwt.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const sign = async () => {
  const input = { subject: "cl", audience: deps.config.baseUrl, clientId: "cl", scopes: [], lifetimeSeconds: 300 };
  return signAccessToken(deps, { ...input, jti: newSecret(), clientEpoch: 1, jkt: null }).token;
};

test("a cached token still ends at its exp", async () => {
  const token = await sign();
  expect(await verifyAccessTokenJwt(deps, token)).toMatchObject({ client_id: "cl" });
  deps.clock.advance(299);
  expect(await verifyAccessTokenJwt(deps, token)).not.toBeNull();
  deps.clock.advance(1);
  expect(await verifyAccessTokenJwt(deps, token)).toBeNull();
});

test("a cached token is refused once its key is revoked (docs/spec/oauth.md, Signing keys)", async () => {
  const token = await sign();
  expect(await verifyAccessTokenJwt(deps, token)).not.toBeNull();
  const find = deps.keys.findVerificationKey;
  deps.keys.findVerificationKey = () => null;
  expect(await verifyAccessTokenJwt(deps, token)).toBeNull();
  deps.keys.findVerificationKey = find;
});

test("a token with a changed signature is refused", async () => {
  const token = await sign();
  expect(await verifyAccessTokenJwt(deps, token)).not.toBeNull();
  const [header, payload] = token.split(".");
  expect(await verifyAccessTokenJwt(deps, `${header}.${payload}.${"A".repeat(86)}`)).toBeNull();
});

const signAs = (purpose: KeyPurpose, typ: string | undefined) => {
  const key = deps.keys.signingKey(purpose);
  const now = Math.floor(deps.clock.now().getTime() / 1000);
  return new SignJWT({ iss: deps.config.baseUrl, env: "sandbox", exp: now + 60 })
    .setProtectedHeader({ alg: "ES256", kid: key.kid, ...(typ === undefined ? {} : { typ }) })
    .sign(key.privateKey);
};

test.each([
  ["credential", "at+jwt"],
  ["receipt", "at+jwt"],
  ["access_token", "JWT"],
  ["access_token", undefined],
  ["access_token", "AT+JWT"],
  ["access_token", "application/at+jwt"],
  ["access_token", "token-introspection+jwt"],
  ["receipt", "paygrant-mandate+jwt"],
  ["credential", "paygrant-mandate+jwt"],
] as const)("a JWT that is signed by the %s key and has the typ %s isn't one of our tokens", async (purpose, typ) => {
  const token = await signAs(purpose, typ);
  expect(await verifyAccessTokenJwt(deps, token)).toBeNull();
  expect(await verifyIssuedTokenJwt(deps, token)).toBeNull();
});

test("a mandate token can be introspected and revoked, and is never an access token, in any order of calls", async () => {
  const token = await signAs("access_token", "paygrant-mandate+jwt");
  expect(await verifyIssuedTokenJwt(deps, token)).not.toBeNull();
  expect(await verifyAccessTokenJwt(deps, token)).toBeNull();
  expect(await verifyIssuedTokenJwt(deps, await sign())).not.toBeNull();
});
