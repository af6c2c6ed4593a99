import { defineConfig } from "vitest/config";

/** Test files share a process and its loaded modules. This halves the work, and finds files that leave state behind. */
const together = { isolate: false };

/**
 * These limits only end tests that hang. They are long, because tests take many times as long on a busy machine. Hooks
 * start services, and a start that takes too long shows its output first (server/cli/checks/test-instance.ts).
 */
const patience = { testTimeout: 600_000, hookTimeout: 660_000, expect: { poll: { timeout: 240_000 } } };

/** These tests change the clock, the keys or the data of a whole service, but stop none of its processes. */
const filesOfSharedService = [
  "e2e/http/sandbox-billing.test.ts",
  "e2e/http/sandbox-billing-year.test.ts",
  "e2e/http/sandbox-clock.test.ts",
  "e2e/faults/key-rotation.test.ts",
  "e2e/faults/pages-without-connections.test.ts",
  "e2e/faults/sandbox-reset.test.ts",
];

/** Each of these files starts a service with its own settings. They wait more than they compute. */
const filesOfOwnServices = [
  "e2e/http/malformed.test.ts",
  "e2e/http/rate-limits.test.ts",
  "e2e/http/outside/required-nonces.test.ts",
];

/** These tests don't run behind nginx, because nginx itself answers data that isn't an HTTP message. */
const filesWithoutProxy = process.env["E2E_BEHIND_PROXY"] ? ["e2e/http/http-messages.test.ts"] : [];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          ...together,
          include: ["server/**/*.test.ts", "components/**/*.test.ts", "packages/*/src/**/*.test.ts"],
          exclude: ["**/*.db.test.ts"],
          ...patience,
        },
      },
      {
        test: {
          name: "database",
          ...together,
          include: ["server/**/*.db.test.ts"],
          globalSetup: "e2e/support/test-database.ts",
          ...patience,
        },
      },
      {
        // These tests use the running service whose URLs are in E2E_… variables (set by `npm test`). Otherwise the
        // setup starts one.
        test: {
          name: "http",
          ...together,
          include: ["e2e/http/**/*.test.ts"],
          exclude: [...filesOfSharedService, ...filesOfOwnServices, ...filesWithoutProxy],
          globalSetup: "e2e/support/instance.ts",
          ...patience,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "own services",
          ...together,
          include: filesOfOwnServices,
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
        // Each file starts its own service, and kills or stops processes of this service.
        test: {
          name: "faults",
          include: ["e2e/faults/*.test.ts"],
          exclude: filesOfSharedService,
          ...patience,
          fileParallelism: false,
        },
      },
      {
        // Starts a cluster of three database nodes, and injects faults under load.
        test: { name: "failover", include: ["e2e/faults/failover/*.test.ts"], ...patience },
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
