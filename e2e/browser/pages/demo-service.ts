import path from "node:path";
import pg from "pg";
import { describeInstance, startTestInstance, testEnvironment } from "#server/cli/checks/test-instance.ts";
import type { EnvironmentName } from "../../support/instance.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { test as base, expect, query, signInBySession } from "../fixtures.ts";

export const fixedDate = "2026-03-10T09:30:00Z";
export type DemoAccount = "payer" | "merchant" | "operator";

type SignIn = (account: DemoAccount, environment: EnvironmentName) => Promise<void>;

type Fixtures = {
  /** signs the browser in as an account of the demo data, by inserting a session */
  signInAs: SignIn;
  /** signs the browser in with the account's password, so that the service itself opens the session */
  signInByPassword: SignIn;
  addressOf: (environment: EnvironmentName | "status") => string;
};

/**
 * A service with demo data only, whose clock is stopped: each run shows the same times and totals. It is started once
 * for all tests that use it.
 */
export const test = base.extend<Fixtures, { demoService: Readonly<Record<string, string>> }>({
  demoService: [
    async ({ browserName: _ }, use) => {
      const environment = await testEnvironment({
        WEB_CONCURRENCY: "1",
        OUTBOUND_LOOPBACK: "1",
        NODE_OPTIONS: `--import=${path.join(import.meta.dirname, "fixed-date.mjs")}`,
        FIXED_DATE: fixedDate,
      });
      const instance = await startTestInstance(environment);
      const variables = await describeInstance(instance);
      await untilSummed(variables["TEST_DATABASE_URL"] ?? "");
      await use(variables);
      await instance.stop();
      await instance.remove();
    },
    { scope: "worker", timeout: 660_000 },
  ],
  addressOf: async ({ demoService }, use) => {
    // Queries read the database's URL from the environment variables.
    const others = { ...process.env };
    Object.assign(process.env, demoService);
    await use((environment) => demoService[`E2E_${environment.toUpperCase()}_URL`] ?? "");
    Object.assign(process.env, others);
  },
  signInAs: async ({ context, addressOf }, use) => {
    await use(async (account, environment) => {
      const { rows } = await query(
        (client) => client.query("SELECT id FROM account WHERE email = $1", [emailOf(account)]),
        environment,
      );
      await signInBySession(context, { id: rows[0].id }, { baseUrl: addressOf(environment), environment });
    });
  },
  signInByPassword: async ({ context, addressOf }, use) => {
    await use(async (account, environment) => {
      const { origin } = new URL(addressOf(environment));
      const answer = await context.request.post(`${origin}/sign-in/session`, {
        form: { email: emailOf(account), password: "paygrant-demo" },
        headers: { origin },
        maxRedirects: 0,
      });
      expect([answer.status(), answer.headers()["location"]]).toEqual([303, expect.not.stringContaining("error")]);
    });
  },
});

const emailOf = (account: DemoAccount): string => `${account}@demo.paygrant.test`;

/** The merchant's overview reads sums, which the worker makes within seconds. */
const untilSummed = async (server: string): Promise<void> => {
  const connectionString = Object.assign(new URL(server), { pathname: "paygrant_sandbox" }).toString();
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await waitUntil(async () => {
      const { rows } = await client.query(
        `SELECT (SELECT count(*) > 0 FROM charge_sum) AND NOT EXISTS (SELECT FROM charge_sum_due)
                AND NOT EXISTS (SELECT FROM event WHERE dispatched_at IS NULL) AS done`,
      );
      return rows[0].done;
    });
  } finally {
    await client.end();
  }
};
