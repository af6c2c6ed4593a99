import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { describeInstance, startTestInstance, testEnvironment } from "#server/cli/checks/test-instance.ts";

type SharedService = {
  readonly dataDirectory: string;
  /** its settings, for operators' commands */
  readonly environment: NodeJS.ProcessEnv;
  /** its addresses; the keys are the environment variables that tests read */
  readonly variables: Record<string, string>;
};

declare module "vitest" {
  interface ProvidedContext {
    sharedService: SharedService;
  }
}

/** A key may sign 5 s after it was published (e2e/faults/key-rotation.test.ts). */
const settings = { WEB_CONCURRENCY: "2", LOG_LEVEL: "warn", JWKS_MAX_AGE: "1" };

/**
 * Vitest's globalSetup of the project `shared`: one service for the test files that change something for the whole
 * service, such as its clock, keys or data. These files run one after another, in any order. None of them stops a
 * process.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const instance = await startTestInstance(await testEnvironment(settings));
  project.provide("sharedService", {
    dataDirectory: instance.dataDirectory,
    environment: instance.environment,
    variables: await describeInstance(instance),
  });
  return async () => {
    await instance.stop();
    await instance.remove();
  };
};

export const sharedService = (): SharedService & { sandboxUrl: string; productionUrl: string } => {
  const service = inject("sharedService");
  return {
    ...service,
    sandboxUrl: service.variables["E2E_SANDBOX_URL"] ?? "",
    productionUrl: service.variables["E2E_PRODUCTION_URL"] ?? "",
  };
};
