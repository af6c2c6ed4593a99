import { afterAll, beforeAll } from "vitest";
import {
  describeInstance,
  startTestInstance,
  type TestInstance,
  testEnvironment,
} from "#server/cli/checks/test-instance.ts";

export type OwnService = {
  readonly instance: TestInstance;
  /** its addresses; the keys are the environment variables that tests read */
  readonly variables: Readonly<Record<string, string>>;
  readonly sandboxUrl: string;
  readonly productionUrl: string;
};

/**
 * Starts a service before the tests of a file or a describe block, and stops it after them. Only for tests that stop
 * processes or need their own settings. Tests that change the whole service in other ways use sharedService(). All
 * other tests use currentInstance().
 * @param settings environment variables
 */
export const ownService = (settings: Readonly<Record<string, string>>): OwnService => {
  const service = {} as { -readonly [Key in keyof OwnService]: OwnService[Key] };
  beforeAll(async () => {
    service.instance = await startTestInstance(await testEnvironment(settings));
    service.variables = await describeInstance(service.instance);
    service.sandboxUrl = service.variables["E2E_SANDBOX_URL"] ?? "";
    service.productionUrl = service.variables["E2E_PRODUCTION_URL"] ?? "";
  });
  afterAll(async () => {
    await service.instance?.stop();
    await service.instance?.remove();
  });
  return service;
};
