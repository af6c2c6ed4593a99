import { defineConfig } from "vitest/config";

/** Files share a process and what it has loaded: half of a run's work, and one that leaves something behind is seen. */
const together = { isolate: false };

/** For what hangs: on a machine that does much else a test may take many times as long as alone, and is no failure. */
const patience = { testTimeout: 240_000, hookTimeout: 240_000 };

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
        // Against a running service: the one that E2E_* names, as `npm test` does, or one of its own.
        test: {
          name: "http",
          ...together,
          include: ["e2e/http/**/*.test.ts"],
          globalSetup: "e2e/support/instance.ts",
          ...patience,
          fileParallelism: false,
        },
      },
      {
        // Each file starts a service of its own: its processes are killed.
        test: {
          name: "faults",
          include: ["e2e/faults/**/*.test.ts"],
          ...patience,
          fileParallelism: false,
        },
      },
      {
        // Two web nodes behind nginx: `npm test -- --nginx` alone runs these.
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
