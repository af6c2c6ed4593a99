import { defineConfig } from "@playwright/test";

const chromiumPath = process.env["CHROMIUM_PATH"];

/** `npm test` starts the service and names it here; see server/cli/test.ts. */
export default defineConfig({
  testDir: "e2e/browser",
  outputDir: "test-results",
  fullyParallel: false,
  workers: 1,
  // What takes a second on a quiet machine, on a busy one.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  use: {
    baseURL: process.env["E2E_SANDBOX_URL"] ?? "http://localhost:3001",
    screenshot: "only-on-failure",
    // A quarter of the time that a browser takes; `npx playwright test --trace on` shows a failure's steps.
    trace: "off",
    launchOptions: {
      ...(chromiumPath ? { executablePath: chromiumPath } : {}),
      args: [
        // Chromium refuses its sandbox to root, as in containers.
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        // Names of clients that a test stands for.
        "--host-resolver-rules=MAP *.shop.example 127.0.0.1",
        "--disable-gpu",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
