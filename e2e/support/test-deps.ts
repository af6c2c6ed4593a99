import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { voidUnsubmittedCharges } from "#server/charges/charge/void-unsubmitted-charges.ts";
import { connectDatabase } from "#server/data/client.ts";
import type { Config } from "#server/deps/config.ts";
import type { Deps } from "#server/deps/deps.ts";
import type { Dns } from "#server/deps/dns.ts";
import type { Outbound } from "#server/deps/outbound.ts";
import type { Places } from "#server/deps/places.ts";
import { type Processors, UnconfiguredProcessor } from "#server/deps/processor-port.ts";
import { createSealer } from "#server/kernel/crypto/seal.ts";
import { type BusinessTime, businessClockOf } from "#server/kernel/time/clock.ts";
import { loadKeyRing } from "#server/oauth/keys/load-key-ring.ts";
import { readVariables, toConfig } from "#server/platform/config.ts";
import { createOutbound } from "#server/platform/outbound/outbound.ts";
import { onServer } from "./test-database.ts";

/** The test's clock. It is also the business clock, unless the test passes a separate business clock. */
type TestClock = { now(): BusinessTime; set(date: Date): void; advance(seconds: number): void };

export type TestDeps = Omit<Deps, "clock"> & { clock: TestClock; close(): Promise<void> };

const silent = {
  debug() {},
  info() {},
  warn() {},
  request() {},
  /** An unexpected error in a test must be visible. */
  error(fields: object, message: string) {
    console.error(message, fields);
  },
};

const testClock = (start: Date): TestClock => {
  let now = start;
  return {
    now: () => now as BusinessTime,
    set(date) {
      now = date;
    },
    advance(seconds) {
      now = new Date(now.getTime() + seconds * 1000);
    },
  };
};

/**
 * Longer than in the product, because tests may need more connections in parallel than the pool has, and the machine
 * may be suspended.
 */
const timeouts = { connection: 30_000 };

/** Deps on a separate database, cloned from the migrated template. Only the test moves the clock. */
export const createTestDeps = async (
  options: {
    processors?: Processors;
    outbound?: Outbound;
    dns?: Dns;
    places?: Places;
    config?: Partial<Config>;
    now?: Date;
  } = {},
): Promise<TestDeps> => {
  const postgresUrl = inject("postgresUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await onServer(postgresUrl, `CREATE DATABASE ${name} TEMPLATE ${inject("templateDatabase")} STRATEGY FILE_COPY`);
  const databaseUrl = Object.assign(new URL(postgresUrl), { pathname: name }).toString();
  const masterKey = randomBytes(32);
  const config: Config = {
    ...toConfig(
      readVariables({
        DATABASE_URL: databaseUrl,
        MASTER_KEY: masterKey.toString("base64url"),
        PAYGRANT_ENVIRONMENT: "sandbox",
        // Differs from the base URL, so that a test notices a link with the wrong URL.
        WALLET_URL: "https://wallet.test",
        LOG_LEVEL: "silent",
      }),
    ),
    ...options.config,
  };
  const db = connectDatabase(databaseUrl, 20, timeouts);
  const clock = testClock(options.now ?? new Date());
  const sealer = createSealer(masterKey, "secrets");
  const keys = await loadKeyRing({ db, sealer, clock, config, log: silent });
  return {
    config,
    db,
    reads: () => db,
    clock,
    businessClock: businessClockOf(clock),
    sealer,
    keys,
    processors: options.processors ?? {
      get: (processor) => {
        throw new UnconfiguredProcessor(processor);
      },
    },
    outbound: options.outbound ?? createOutbound({ allowLoopback: config.outboundLoopback }),
    webhookOutbound: options.outbound ?? createOutbound({ allowLoopback: config.webhookLoopback }),
    dns: options.dns ?? { txtAtEach: async () => [] },
    places: options.places ?? { find: () => null },
    voidUnsubmittedCharges: (sql, input) => voidUnsubmittedCharges({ config }, sql, input),
    log: silent,
    async close() {
      keys.stop();
      await db.close();
      await onServer(postgresUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
};

/** Another process of the same service: the same database, clock and secrets, with its own pool and caches. */
export const anotherNode = async (deps: TestDeps): Promise<TestDeps> => {
  const db = connectDatabase(deps.config.databaseUrl, 20, timeouts);
  const keys = await loadKeyRing({ ...deps, db });
  return {
    ...deps,
    db,
    reads: () => db,
    keys,
    async close() {
      keys.stop();
      await db.close();
    },
  };
};
