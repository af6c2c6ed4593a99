import { afterAll, beforeAll } from "vitest";
import {
  describeInstance,
  startTestInstance,
  type TestInstance,
  testEnvironment,
} from "#server/cli/checks/test-instance.ts";
import { describeOauth4webapi } from "../../outside/oauth4webapi-flows.ts";
import { describeOpenidClient } from "../../outside/openid-client-flows.ts";

/** A service of its own: the others offer nonces, this one demands them. */
let instance: TestInstance;
let baseUrl: string;
beforeAll(async () => {
  instance = await startTestInstance(await testEnvironment({ DPOP_NONCE: "required" }));
  baseUrl = (await describeInstance(instance))["E2E_SANDBOX_URL"] ?? "";
});
afterAll(async () => {
  await instance?.stop();
  await instance?.remove();
});

describeOpenidClient("where nonces are demanded", () => baseUrl, "demanded");
describeOauth4webapi("where nonces are demanded", { baseUrl: () => baseUrl, nonces: "demanded" });
