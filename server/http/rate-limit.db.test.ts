import { afterAll, beforeAll, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient } from "#e2e/support/factories.ts";
import { assertionType, formBody, signAssertion } from "#e2e/support/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { tokenEndpoint } from "../oauth/endpoints/token.ts";
import { parseRateLimits } from "./limits/classes.ts";
import { startRateLimiter } from "./limits/start-rate-limiter.ts";
import { provideDeps, provideRateLimiter } from "./runtime.ts";
import { addressHeader, serve } from "./serve.ts";

let deps: TestDeps;
let stop: () => Promise<void>;
beforeAll(async () => {
  deps = await createTestDeps({ now: new Date() });
  const rateLimits = parseRateLimits("signed.client=3/60");
  const limiter = startRateLimiter({ db: deps.db, config: { rateLimits }, log: deps.log });
  stop = () => limiter.stop();
  provideDeps(deps);
  provideRateLimiter(limiter);
});
afterAll(async () => {
  await stop();
  await deps.close();
});

test("an assertion that was used before takes nothing of its client's allowance (1-oauth, Rate limits)", async () => {
  const client = await makeMerchantClient(deps, (await makeMerchant(deps)).id);
  const request = (assertion: string) =>
    serve(tokenEndpoint)(
      new Request(`${deps.config.baseUrl}/oauth/token`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", [addressHeader]: "203.0.113.1" },
        body: formBody({
          ...{ grant_type: "client_credentials", client_assertion_type: assertionType },
          client_assertion: assertion,
        }),
      }),
    );
  const fresh = () => signAssertion(client, deps.config.baseUrl);
  const first = await fresh();
  expect((await request(first)).headers.get("ratelimit")).toMatch(/"signed-client";r=2;/);
  for (let count = 0; count < 10; count++) {
    const repeated = await request(first);
    expect([repeated.status, repeated.headers.get("ratelimit")]).toEqual([401, expect.not.stringContaining("client")]);
  }
  expect((await request(await fresh())).status).toBe(200);
  expect((await request(await fresh())).status).toBe(200);
  expect((await request(await fresh())).status).toBe(429);
});
