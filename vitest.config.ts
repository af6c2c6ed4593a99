import { defineConfig } from "vitest/config";

/** Files share a process and its loaded modules. That halves the work, and shows files that leave something behind. */
const together = { isolate: false };

/** Long, for tests that hang: on a busy machine a test may take many times as long and still pass. */
const patience = { testTimeout: 240_000, hookTimeout: 240_000 };

/** They change the clock, the keys or the data of a whole service and stop none of its processes. */
const filesOfSharedService = [
  "e2e/http/sandbox-clock.test.ts",
  "e2e/faults/key-rotation.test.ts",
  "e2e/faults/sandbox-reset.test.ts",
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          ...together,
          include: ["server/**/*.test.ts", "components/**/*.test.ts"],
          exclude: ["**/*.db.test.ts"],
          ...patience,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: "database",
          ...together,
          include: ["server/**/*.db.test.ts"],
          globalSetup: "e2e/support/test-database.ts",
          ...patience,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        // Against the running service that E2E_… names (`npm test` sets it), or one that the setup starts.
        test: {
          name: "http",
          ...together,
          include: ["e2e/http/**/*.test.ts"],
          exclude: filesOfSharedService,
          globalSetup: "e2e/support/instance.ts",
          ...patience,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "shared",
          include: filesOfSharedService,
          globalSetup: "e2e/support/shared-service.ts",
          ...patience,
          fileParallelism: false,
        },
      },
      {
        // Each file starts its own service, and kills or stops its processes.
        test: {
          name: "faults",
          include: ["e2e/faults/**/*.test.ts"],
          exclude: filesOfSharedService,
          ...patience,
          fileParallelism: false,
        },
      },
      {
        // Two web nodes behind nginx. Only `npm test -- --nginx` runs these.
        test: {
          name: "nodes",
          include: ["e2e/nodes/**/*.test.ts"],
          ...patience,
          fileParallelism: false,
        },
      },
    ],
  },
});
