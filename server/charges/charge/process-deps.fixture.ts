import { randomBytes } from "node:crypto";
import { connectDatabase } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { createSealer } from "../../kernel/crypto/seal.ts";
import { businessClockOf, systemClock } from "../../kernel/time/clock.ts";
import { readVariables, toConfig } from "../../platform/config.ts";
import { createOutbound } from "../../platform/outbound/outbound.ts";
import { createProcessors } from "../../processors/create-processors.ts";
import { voidUnsubmittedCharges } from "./void-unsubmitted-charges.ts";

type Addresses = { databaseUrl: string; simulatorUrl: string; simulatorKey: string };

/** The dependencies of a separate process of the sandbox, which can be killed. It has no signing keys. */
export const makeProcessDeps = ({ databaseUrl, simulatorUrl, simulatorKey }: Addresses): Deps => {
  const config = toConfig(
    readVariables({
      DATABASE_URL: databaseUrl,
      MASTER_KEY: randomBytes(32).toString("base64url"),
      PAYGRANT_ENVIRONMENT: "sandbox",
      SIMULATOR_URL: simulatorUrl,
      SIMULATOR_KEY: simulatorKey,
    }),
  );
  const db = connectDatabase(databaseUrl, 10);
  return {
    config,
    db,
    reads: () => db,
    clock: systemClock,
    businessClock: businessClockOf(systemClock),
    sealer: createSealer(randomBytes(32), "secrets"),
    keys: {
      signingKey: () => {
        throw new Error("this process signs nothing");
      },
      findVerificationKey: () => null,
      awaitVerificationKey: async () => null,
      jwks: () => ({ keys: [] }),
      publishedJwks: () => ({ body: new Uint8Array(), etag: "", cacheControl: "" }),
      refresh: async () => {},
      isLoaded: () => true,
    },
    processors: createProcessors(config),
    outbound: createOutbound({ allowLoopback: false }),
    webhookOutbound: createOutbound({ allowLoopback: false }),
    dns: { txtAtEach: async () => [] },
    places: { find: () => null },
    voidUnsubmittedCharges: (sql, input) => voidUnsubmittedCharges({ config }, sql, input),
    log: { debug() {}, info() {}, warn() {}, error() {}, request() {} },
  };
};
