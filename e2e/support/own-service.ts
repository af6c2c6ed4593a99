import { afterAll, beforeAll } from "vitest";
import {
  describeInstance,
  startTestInstance,
  type TestInstance,
  testEnvironment,
} from "#server/cli/checks/test-instance.ts";

export type OwnService = {
  readonly instance: TestInstance;
  /** what tests are told of it, by the names of environment variables */
  readonly told: Readonly<Record<string, string>>;
  readonly sandboxUrl: string;
  readonly productionUrl: string;
};

/** A service for one test file alone: there before its first test, gone after its last. @param settings of its environment */
export const ownService = (settings: Readonly<Record<string, string>>): OwnService => {
  const service = {} as { -readonly [Key in keyof OwnService]: OwnService[Key] };
  beforeAll(async () => {
    service.instance = await startTestInstance(await testEnvironment(settings));
    service.told = await describeInstance(service.instance);
    service.sandboxUrl = service.told["E2E_SANDBOX_URL"] ?? "";
    service.productionUrl = service.told["E2E_PRODUCTION_URL"] ?? "";
  }, 240_000);
  afterAll(async () => {
    await service.instance?.stop();
    await service.instance?.remove();
  });
  return service;
};
