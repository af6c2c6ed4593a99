import { defineConfig } from "@playwright/test";

const chromiumPath = process.env["CHROMIUM_PATH"];

/** `npm test` starts the service and sets its addresses (server/cli/test.ts). */
export default defineConfig({
  testDir: "e2e/browser",
  outputDir: "test-results",
  fullyParallel: false,
  // Each test has its own accounts and merchants, or searches for its own objects, so files run at the same time.
  workers: 2,
  // These limits only end tests that hang. On a busy machine, a test can take ten times as long.
  timeout: 600_000,
  // On a busy machine, a wait in a browser may never end. `npm test` lists the tests that passed after a failure.
  retries: process.env["CI"] ? 1 : 0,
  expect: {
    timeout: 60_000,
    // Glyph edges differ between versions of Chromium.
    toHaveScreenshot: { maxDiffPixelRatio: 0.01, animations: "disabled" },
  },
  snapshotPathTemplate: "{testDir}/{testFileDir}/images/{arg}{ext}",
  use: {
    baseURL: process.env["E2E_SANDBOX_URL"] ?? "http://localhost:3001",
    screenshot: "only-on-failure",
    // Recording traces would account for a quarter of the run time. `npx playwright test --trace on` shows the steps of
    // a failure.
    trace: "off",
    // Drawing transitions takes a seventh of the CPU time of a test.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...(chromiumPath ? { executablePath: chromiumPath } : {}),
      args: [
        // Chromium's sandbox doesn't work for root, for example in containers.
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        // The tests serve the sites of clients at these host names.
        "--host-resolver-rules=MAP *.shop.example 127.0.0.1",
        // With this switch, Chromium and its headless shell lay out text with the same widths.
        "--font-render-hinting=none",
        "--disable-gpu",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
