import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { newSecret } from "../kernel/ids.ts";
import { signAccessToken } from "./sign-access-token.ts";
import { verifyAccessTokenJwt } from "./verify-access-token-jwt.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const sign = async () => {
  const input = { subject: "cl", audience: deps.config.baseUrl, clientId: "cl", scopes: [], lifetimeSeconds: 300 };
  return signAccessToken(deps, { ...input, jti: newSecret(), clientEpoch: 1, jkt: null }).token;
};

test("a remembered token ends at its exp all the same", async () => {
  const token = await sign();
  expect(await verifyAccessTokenJwt(deps, token)).toMatchObject({ client_id: "cl" });
  deps.clock.advance(299);
  expect(await verifyAccessTokenJwt(deps, token)).not.toBeNull();
  deps.clock.advance(1);
  expect(await verifyAccessTokenJwt(deps, token)).toBeNull();
});

test("a remembered token is refused once its key is revoked (1-oauth, Keys)", async () => {
  const token = await sign();
  expect(await verifyAccessTokenJwt(deps, token)).not.toBeNull();
  const find = deps.keys.findVerificationKey;
  deps.keys.findVerificationKey = () => null;
  expect(await verifyAccessTokenJwt(deps, token)).toBeNull();
  deps.keys.findVerificationKey = find;
});

test("a changed signature is another token", async () => {
  const token = await sign();
  expect(await verifyAccessTokenJwt(deps, token)).not.toBeNull();
  const [header, payload] = token.split(".");
  expect(await verifyAccessTokenJwt(deps, `${header}.${payload}.${"A".repeat(86)}`)).toBeNull();
});

test.each([
  ["credential", "at+jwt"],
  ["access_token", "JWT"],
] as const)("what the %s key signs as %s is no access token", async (purpose, typ) => {
  const key = deps.keys.signingKey(purpose);
  const now = Math.floor(deps.clock.now().getTime() / 1000);
  const token = await new SignJWT({ iss: deps.config.baseUrl, env: "sandbox", exp: now + 60 })
    .setProtectedHeader({ alg: "ES256", typ, kid: key.kid })
    .sign(key.privateKey);
  expect(await verifyAccessTokenJwt(deps, token)).toBeNull();
});
