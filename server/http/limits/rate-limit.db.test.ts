import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient, type TestClient } from "#e2e/support/factories.ts";
import { assertionType, formBody, signAssertion } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../../audit/search-audit.ts";
import { addressHeader } from "../../contract/headers.ts";
import { parseRateLimits } from "../../contract/limit-classes.ts";
import { listChargesEndpoint } from "../../endpoints/charges/list-charges.ts";
import { tokenEndpoint } from "../../endpoints/oauth/token.ts";
import { provideDeps, provideRateLimiter } from "../runtime.ts";
import { serve } from "../serve.ts";
import { refusedAuthenticationCost } from "./rate-limit.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { startRateLimiter } from "./start-rate-limiter.ts";

let deps: TestDeps;
let limiter: RateLimiter;
beforeAll(async () => {
  deps = await createTestDeps({ now: new Date() });
  provideDeps(deps);
});
afterEach(() => limiter.stop());
afterAll(() => deps.close());

const limitBy = (text: string): void => {
  limiter = startRateLimiter({ db: deps.db, config: { rateLimits: parseRateLimits(text) }, log: deps.log });
  provideRateLimiter(limiter);
};

const makeClient = async () => makeMerchantClient(deps, (await makeMerchant(deps)).id);
const sign = (client: TestClient) => signAssertion(client, deps.config.baseUrl, { now: deps.clock.now() });

const request = (assertion: string, address: string) =>
  serve(tokenEndpoint)(
    new Request(`${deps.config.baseUrl}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", [addressHeader]: address },
      body: formBody({
        grant_type: "client_credentials",
        client_assertion_type: assertionType,
        client_assertion: assertion,
      }),
    }),
  );

test("a replayed assertion doesn't use its client's quota (docs/spec/product.md, Rate limits)", async () => {
  limitBy("signed.client=3/60");
  const client = await makeClient();
  const first = await sign(client);
  const address = "203.0.113.1";
  expect((await request(first, address)).headers.get("ratelimit")).toMatch(/"signed-client";r=2;/);
  for (let count = 0; count < 10; count++) {
    const repeated = await request(first, address);
    expect([repeated.status, repeated.headers.get("ratelimit")]).toEqual([401, expect.not.stringContaining("client")]);
  }
  expect((await request(await sign(client), address)).status).toBe(200);
  expect((await request(await sign(client), address)).status).toBe(200);
  expect((await request(await sign(client), address)).status).toBe(429);
});

test("a refused authentication counts as ten requests of its IP address, which limits guessing and audit entries (RFC 6819 §5.1.4.2.4)", async () => {
  limitBy("signed.client=3/60,signed.address=200/86400");
  const client = await makeClient();
  const [guesser, other] = ["203.0.113.2", "203.0.113.3"];
  const guess = () => request("e30.e30.e30", guesser);
  const first = await guess();
  expect(first.status).toBe(401);
  expect(first.headers.get("ratelimit")).toMatch(new RegExp(`^"signed-address";r=${200 - refusedAuthenticationCost};`));

  const statuses: number[] = [];
  const requestIds = new Set<string | null>();
  for (let count = 0; count < 100; count++) {
    const answer = await guess();
    statuses.push(answer.status);
    requestIds.add(answer.headers.get("x-request-id"));
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(19);
  expect(new Set(statuses.slice(19))).toEqual(new Set([429]));
  const { entries } = await searchAudit(deps, { action: "client.authentication_refused", limit: 500 });
  expect(entries.filter(({ requestId }) => requestIds.has(requestId))).toHaveLength(19);

  const elsewhere = await request(await sign(client), other);
  expect(elsewhere.status).toBe(200);
  expect(elsewhere.headers.get("ratelimit")).toMatch(/^"signed-address";r=199;t=\d+, "signed-client";r=2;/);
});

test("an unproven assertion doesn't use the quota of the client that it names (docs/spec/product.md, Rate limits)", async () => {
  limitBy("signed.client=3/60");
  const [client, stranger] = [await makeClient(), await makeClient()];
  const forged = await sign({ ...stranger, id: client.id });
  for (let count = 0; count < 10; count++) expect((await request(forged, "203.0.113.10")).status).toBe(401);
  const own = await request(await sign(client), "203.0.113.11");
  expect([own.status, own.headers.get("ratelimit")]).toEqual([200, expect.stringContaining('"signed-client";r=2;')]);
});

test("concurrent guesses are all counted, and the excess over the quota becomes debt", async () => {
  limitBy("signed.address=200/86400");
  const address = "203.0.113.4";
  await Promise.all(Array.from({ length: 40 }, () => request("e30.e30.e30", address)));
  const refused = await request("e30.e30.e30", address);
  expect(refused.status).toBe(429);
  // 40 guesses count as 400 requests. The quota is 200, so the bucket has a debt of 200 requests.
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(86_400 / 2);
});

test("an invalid token also counts as ten requests, at any resource (docs/spec/product.md, Rate limits)", async () => {
  limitBy("resource.address=200/86400");
  const address = "203.0.113.9";
  const read = async (authorization: string) => {
    const url = `${deps.config.baseUrl}/merchant_test/charges`;
    const answer = await serve(listChargesEndpoint)(
      new Request(url, { headers: { authorization, [addressHeader]: address } }),
    );
    return [answer.status, answer.headers.get("ratelimit")?.match(/r=(\d+)/)?.[1]];
  };
  expect(await read("Bearer x")).toEqual([401, String(200 - refusedAuthenticationCost)]);
  expect(await read("Bearer e30.e30.e30")).toEqual([401, String(200 - 2 * refusedAuthenticationCost)]);
});
