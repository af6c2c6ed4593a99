import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: { name: "unit", include: ["server/**/*.test.ts", "components/**/*.test.ts"], exclude: ["**/*.db.test.ts"] },
      },
      {
        test: {
          name: "database",
          include: ["server/**/*.db.test.ts"],
          globalSetup: "e2e/support/test-database.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
