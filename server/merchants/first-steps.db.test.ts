import { afterAll, beforeAll, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charges/charge/charge-setup.fixture.ts";
import { markWebhookSuccess } from "../data/webhooks/webhook-endpoints.ts";
import { addEndpoint } from "../webhooks/endpoints/create-endpoint.ts";
import { readFirstSteps } from "./read-first-steps.ts";

const by = { actor: { kind: "system", id: "test" }, requestId: "req_test" } as const;

let deps: TestDeps;
beforeAll(async () => {
  const bank = scriptedProcessor();
  deps = await createTestDeps({ processors: bank.processors });
});
afterAll(() => deps.close());

const doneBy = async (merchantId: string): Promise<string[]> =>
  Object.entries(await readFirstSteps(deps, { merchantId })).flatMap(([name, isDone]) => (isDone ? [name] : []));

test("a new merchant has done no step; a deleted app was registered", async () => {
  const merchant = await makeMerchant(deps);
  expect(await doneBy(merchant.id)).toEqual([]);
  const client = await makeMerchantClient(deps, merchant.id);
  await deps.db.prisma.client.update({ where: { id: client.id }, data: { deletedAt: deps.clock.now() } });
  expect(await doneBy(merchant.id)).toEqual(["hasApp"]);
});

test("a charge completes the steps whose records are missing: the token and the verification", async () => {
  const { merchant, charge } = await makeChargeableMandate(deps);
  expect(await doneBy(merchant.id)).toEqual(["hasApp", "hasMandate"]);
  await charge();
  expect(await doneBy(merchant.id)).toEqual(["hasApp", "hasToken", "hasMandate", "hasVerified", "hasCharged"]);
});

test("a webhook stays received after its delivery was deleted", async () => {
  const { id } = await makeMerchant(deps);
  const { endpointId } = await deps.db.sqlTransaction((sql) =>
    addEndpoint(deps, sql, { owner: { kind: "merchant", id }, url: "https://shop.example/hooks", ...by }),
  );
  expect(await doneBy(id)).toEqual(["hasEndpoint"]);
  await markWebhookSuccess(deps.db.sql, endpointId, deps.clock.now());
  expect(await doneBy(id)).toEqual(["hasEndpoint", "hasWebhook"]);
});
