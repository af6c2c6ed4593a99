import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient, type TestClient } from "#e2e/support/factories.ts";
import { assertionType, makeKey, signAssertion, signProof } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { consumeAssertion } from "../../data/oauth/replay.ts";
import { verifyDpopProof } from "../tokens/verify-dpop-proof.ts";
import { authenticateClient, verifyClient } from "./authenticate-client.ts";

let deps: TestDeps;
let client: TestClient;
beforeAll(async () => {
  deps = await createTestDeps();
  client = await makeMerchantClient(deps, (await makeMerchant(deps)).id);
});
afterAll(() => deps.close());

const authenticate = async (at: TestDeps, audience: string) => {
  const client_assertion = await signAssertion(client, audience, { now: deps.clock.now() });
  const form = { client_assertion_type: assertionType, client_assertion };
  return authenticateClient(at, { form, authorization: null });
};

describe("the audience of a client's assertion, if its tokens aren't sender-constrained (RFC 7523 §3; docs/spec/oauth.md, Client assertion)", () => {
  const addresses = ["/oauth/token", "/oauth/par"];

  test.each(["", ...addresses])("can be the issuer, the token endpoint or the PAR endpoint: %j", async (path) => {
    await expect(authenticate(deps, deps.config.baseUrl + path)).resolves.toMatchObject({ id: client.id });
  });

  test("must be the issuer, as for a FAPI client, if ASSERTION_AUDIENCE=issuer is set", async () => {
    const strict = { ...deps, config: { ...deps.config, strictAssertionAudience: true } };
    await expect(authenticate(strict, deps.config.baseUrl)).resolves.toMatchObject({ id: client.id });
    for (const path of addresses) {
      await expect(authenticate(strict, deps.config.baseUrl + path)).rejects.toMatchObject({ code: "invalid_client" });
    }
  });
});

/** The replay stores have one partition per UTC day. */
const midnight = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000);
const secondsFromMidnight = (seconds: number) => new Date(midnight.getTime() + seconds * 1000);

describe("a second use is refused, even around midnight (docs/spec/oauth.md, Replay protection)", () => {
  test.each([-5, 5, 30])("of an assertion, %i s after midnight", async (end) => {
    deps.clock.set(secondsFromMidnight(-20));
    const claims = { exp: Math.floor(secondsFromMidnight(end + 20).getTime() / 1000) };
    const client_assertion = await signAssertion(client, deps.config.baseUrl, { now: deps.clock.now(), claims });
    const form = { client_assertion_type: assertionType, client_assertion };
    const attempt = () => authenticateClient(deps, { form, authorization: null });
    expect(await attempt()).toMatchObject({ id: client.id });
    deps.clock.set(secondsFromMidnight(end));
    await expect(attempt()).rejects.toMatchObject({
      code: "invalid_client",
      description: expect.stringMatching(/used/),
    });
  });

  test("of a proof", async () => {
    deps.clock.set(secondsFromMidnight(-1));
    const key = await makeKey();
    const proof = await signProof(key, { url: `${deps.config.baseUrl}/oauth/token`, now: deps.clock.now() });
    const consume = async () =>
      (await verifyDpopProof(deps, { proof, method: "POST", path: "/oauth/token", accessToken: null })).consume();
    await consume();
    deps.clock.set(secondsFromMidnight(50));
    await expect(consume()).rejects.toMatchObject({ code: "invalid_dpop_proof" });
  });
});

describe("a request and its assertion (RFC 7523 §3)", () => {
  const signed = () => signAssertion(client, deps.config.baseUrl, { now: deps.clock.now() });
  const verify = (client_assertion: string) =>
    verifyClient(deps, { form: { client_assertion_type: assertionType, client_assertion }, authorization: null });

  test("the assertion is used up even if the request fails with a server error", async () => {
    const assertion = await signed();
    const pending = await verify(assertion);
    const fault = new Error("a fault of the server");
    await expect(pending.settle(() => Promise.reject(fault))).rejects.toBe(fault);
    await pending.ensureSettled();
    await expect((await verify(assertion)).ensureSettled()).rejects.toMatchObject({ code: "invalid_client" });
  });

  test("if the database's response was lost, the assertion isn't refused as a replay: the client must retry later", async () => {
    const pending = await verify(await signed());
    const lost = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    const settling = pending.settle(async (assertion) => {
      await consumeAssertion(deps.db.sql, assertion);
      throw lost;
    });
    await expect(settling).rejects.toBe(lost);
    await expect(pending.ensureSettled()).resolves.toBeUndefined();
  });
});
