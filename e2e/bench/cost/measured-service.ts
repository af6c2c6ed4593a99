import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findFreePorts } from "#server/cli/checks/free-ports.ts";
import { describeInstance } from "#server/cli/checks/test-instance.ts";
import { StartError, step } from "#server/cli/supervisor/steps.ts";
import { type Child, startChild } from "../servers/child.ts";
import { startLoadGenerator } from "../servers/contenders.ts";
import { type Product, startProduct } from "../servers/product.ts";
import type { Begin } from "../servers/until-stopped.ts";
import { postponeUpkeep } from "./database-totals.ts";

export type MeasuredService = {
  product: Product;
  /** of a superuser */
  client: pg.Client;
  load: Child;
  /** a webhook endpoint that accepts everything */
  receiver: Child;
  webhookUri: string;
};

const deliverySeconds = 120;

/**
 * Starts a service whose CPU time and WAL are measured, and a webhook endpoint and the load generator for it. No
 * checkpoint starts during a measurement.
 */
export const startMeasuredService = async (begin: Begin, webProcesses: number): Promise<MeasuredService> => {
  const product = await step("service", () => begin(startProduct(webProcesses, { OUTBOUND_LOOPBACK: "1" })));
  const client = await connectSuperuser(product);
  await begin(Promise.resolve({ stop: () => client.end() }));
  await postponeUpkeep(client);
  const [port = 0] = await findFreePorts(1);
  const receiver = await begin(startChild(path.join(import.meta.dirname, "receiver.ts"), { args: [String(port)] }));
  const load = await begin(startLoadGenerator());
  return { product, client, load, receiver, webhookUri: `http://127.0.0.1:${port}/events` };
};

/** Vacuums the sandbox's database, which is the measured one. */
export const vacuum = async ({ product, client: { user, password } }: MeasuredService): Promise<void> => {
  const { hostname: host, port, pathname } = new URL(product.databaseUrl);
  const client = new pg.Client({ user, password, host, port: Number(port), database: pathname.slice(1) });
  await client.connect();
  await client.query("VACUUM ANALYZE").finally(() => client.end());
};

const connectSuperuser = async ({ databaseUrl, dataDirectory }: Product): Promise<pg.Client> => {
  const environment = { NODE_ENV: "production" as const, POSTGRES_PORT: new URL(databaseUrl).port };
  const { TEST_DATABASE_URL } = await describeInstance({ environment, dataDirectory });
  const client = new pg.Client({ connectionString: TEST_DATABASE_URL });
  await client.connect();
  return client;
};

/** Waits until every event has reached its endpoint. */
export const untilDelivered = async ({ databaseUrl }: Product, pollMilliseconds = 500): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const isOpen = async () =>
    (
      await client.query(
        `SELECT FROM event WHERE dispatched_at IS NULL
         UNION ALL SELECT FROM webhook_delivery WHERE state = 'pending' LIMIT 1`,
      )
    ).rowCount !== 0;
  for (const deadline = performance.now() + deliverySeconds * 1000; await isOpen(); await sleep(pollMilliseconds)) {
    if (performance.now() > deadline) throw new StartError(`events weren't delivered within ${deliverySeconds} s`);
  }
  await client.end();
};
