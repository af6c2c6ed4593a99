import { randomBytes } from "node:crypto";
import { voidUnsubmittedCharges } from "#server/charges/charge/void-unsubmitted-charges.ts";
import { connectDatabase } from "#server/data/client.ts";
import { applyMigrations } from "#server/data/schema/schema-engine.ts";
import type { Deps } from "#server/deps/deps.ts";
import { provideDeps } from "#server/http/runtime.ts";
import { createSealer } from "#server/kernel/crypto/seal.ts";
import { businessClockOf } from "#server/kernel/time/clock.ts";
import { loadKeyRing } from "#server/oauth/keys/load-key-ring.ts";
import { readVariables, toConfig } from "#server/platform/config.ts";
import { createOutbound } from "#server/platform/outbound/outbound.ts";
import { startPostgres } from "../../support/test-database.ts";

/** The service's functions in this process, on a separate PostgreSQL, with a clock that the benchmark sets. */
export type World = { deps: Deps; setClock(now: Date): void; stop(): Promise<void> };

const silent = { debug() {}, info() {}, warn() {}, error() {}, request() {} };

const noProcessors = {
  get(name: string): never {
    throw new Error(`no processor ${name} here`);
  },
};

export const startWorld = async (start: Date): Promise<World> => {
  const postgres = await startPostgres();
  try {
    await applyMigrations(postgres.url);
    const masterKey = randomBytes(32);
    const config = toConfig(
      readVariables({
        DATABASE_URL: postgres.url,
        MASTER_KEY: masterKey.toString("base64url"),
        PAYGRANT_ENVIRONMENT: "sandbox",
      }),
    );
    let now = start;
    const clock = { now: () => now };
    const db = connectDatabase(postgres.url, 8, { statement: null });
    const sealer = createSealer(masterKey, "secrets");
    const keys = await loadKeyRing({ db, sealer, clock, config, log: silent });
    const outbound = createOutbound({ allowLoopback: false });
    const businessClock = businessClockOf(clock);
    const deps: Deps = {
      config,
      db,
      reads: () => db,
      clock,
      businessClock,
      sealer,
      keys,
      outbound,
      webhookOutbound: outbound,
      dns: { txtAtEach: async () => [] },
      processors: noProcessors,
      places: { find: () => null },
      voidUnsubmittedCharges: (sql, input) => voidUnsubmittedCharges({ config }, sql, input),
      log: silent,
    };
    provideDeps(deps);
    let stopping: Promise<void> | null = null;
    return {
      deps,
      setClock(date) {
        now = date;
      },
      // Stops only once, even if a signal arrives at the end of the benchmark.
      stop() {
        stopping ??= (async () => {
          keys.stop();
          await db.close();
          await postgres.stop();
        })();
        return stopping;
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
};
