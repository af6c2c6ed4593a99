import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient, type TestClient } from "#e2e/support/factories.ts";
import { assertionType, signAssertion } from "#e2e/support/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { authenticateClient } from "./authenticate-client.ts";

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

describe("the audience of a client without bound tokens (RFC 7523 §3; 1-oauth, Client assertion)", () => {
  const addresses = ["/oauth/token", "/oauth/par"];

  test.each(["", ...addresses])("the issuer, the token and the PAR endpoint: %j", async (path) => {
    await expect(authenticate(deps, deps.config.baseUrl + path)).resolves.toMatchObject({ id: client.id });
  });

  test("ASSERTION_AUDIENCE=issuer makes it as strict as a FAPI client's", async () => {
    const strict = { ...deps, config: { ...deps.config, strictAssertionAudience: true } };
    await expect(authenticate(strict, deps.config.baseUrl)).resolves.toMatchObject({ id: client.id });
    for (const path of addresses) {
      await expect(authenticate(strict, deps.config.baseUrl + path)).rejects.toMatchObject({ code: "invalid_client" });
    }
  });
});
