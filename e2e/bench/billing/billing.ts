import { loadavg } from "node:os";
import pg from "pg";
import { describeInstance, startTestInstance, testEnvironment } from "#server/cli/checks/test-instance.ts";
import { StartError, step } from "#server/cli/supervisor/steps.ts";
import { untilStopped } from "../servers/until-stopped.ts";
import type { Figure } from "./figure.ts";
import { measureIngest } from "./ingest.ts";
import { measureLargeInvoice, measureMonthlyRun } from "./monthly-run.ts";
import { measureDashboards } from "./pages.ts";

/**
 * Measures the billing engine against docs/spec/billing.md, Performance targets. The invoices are made in a separate
 * database of the same PostgreSQL, where no other process runs billing.
 * @throws StartError when a target is missed.
 */
export const runBilling = (): Promise<void> =>
  untilStopped(async (begin) => {
    const instance = await step("service", async () =>
      startTestInstance(await testEnvironment({ WEB_CONCURRENCY: "1", OUTBOUND_LOOPBACK: "1" })),
    );
    await begin(Promise.resolve({ stop: () => instance.stop().then(instance.remove) }));
    const { E2E_SANDBOX_URL: baseUrl = "", TEST_DATABASE_URL: server = "" } = await describeInstance(instance);
    const urlOf = (database: string) => Object.assign(new URL(server), { pathname: database }).toString();
    const client = new pg.Client({ connectionString: urlOf("paygrant_sandbox") });
    await client.connect();
    await begin(Promise.resolve({ stop: () => client.end() }));
    await client.query("CREATE DATABASE paygrant_bench");
    const databaseUrl = urlOf("paygrant_bench");
    const missed: string[] = [];
    const show = (figures: readonly Figure[]) => {
      const load = loadavg()[0]?.toFixed(1);
      for (const { title, result, isReached } of figures) {
        if (!isReached) missed.push(title);
        process.stdout.write(`${isReached ? "✓" : "✗"} ${title}  ${result}, load ${load}\n`);
      }
    };
    show(await measureIngest(baseUrl));
    show(await step("an invoice over a million events", () => measureLargeInvoice(databaseUrl)));
    show(await step("the run of 10,000 merchants", () => measureMonthlyRun(databaseUrl)));
    show(await measureDashboards(client, { baseUrl, databaseUrl: urlOf("paygrant_sandbox") }));
    if (missed.length > 0) throw new StartError(`✗ not reached: ${missed.join(", ")}`);
  });
