import { voidUnsubmittedCharges } from "./charges/charge/void-unsubmitted-charges.ts";
import { connectDatabase } from "./data/client.ts";
import { hasForeignKey } from "./data/oauth/foreign-keys.ts";
import { connectReplica } from "./data/replica/replica.ts";
import { isRestoring } from "./data/schema/restore-mark.ts";
import { type DatabaseRole, databaseTimeouts } from "./data/timeouts.ts";
import type { Config } from "./deps/config.ts";
import type { Deps, Log } from "./deps/deps.ts";
import { sha256Base64url } from "./kernel/crypto/hash.ts";
import { createSealer } from "./kernel/crypto/seal.ts";
import { businessClockOf, systemClock } from "./kernel/time/clock.ts";
import { loadKeyRing } from "./oauth/keys/load-key-ring.ts";
import { assertOwnDatabase, assertOwnKeys, assertOwnSettings, assertRestored } from "./platform/environment.ts";
import { createDns } from "./platform/outbound/dns.ts";
import { createOutbound } from "./platform/outbound/outbound.ts";
import { openPlaces } from "./platform/places.ts";
import { createProcessors } from "./processors/create-processors.ts";
import { createSandboxClock } from "./sandbox/sandbox-clock.ts";

/** Maximum number of connections of a worker or a command, whose tasks rarely run at the same time. */
const usualPoolSize = 16;

/**
 * Time limit for reading the clock. The time limit of a caller is longer, because the caller continues after the clock
 * was read.
 */
const clockMilliseconds = 3_000;

/**
 * Creates the dependencies of one process of one environment.
 * @param role determines the time limits of the database.
 * @param poolSize maximum number of connections. The sandbox has one more connection for its clock. All processes of an
 *   environment together must stay below PostgreSQL's limit.
 * @throws ConfigError if a setting belongs to the other environment.
 */
export const compose = async (
  config: Config,
  log: Log,
  { role = "command", poolSize = usualPoolSize }: { role?: DatabaseRole; poolSize?: number } = {},
): Promise<Deps & { close(): Promise<void> }> => {
  assertOwnSettings(config);
  // Closes the connections if the start is refused below, because an idle connection keeps the process running for
  // minutes.
  await using opened = new AsyncDisposableStack();
  const connect = (...to: Parameters<typeof connectDatabase>) =>
    opened.adopt(connectDatabase(...to), (database) => database.close());
  const places = await openPlaces(config.geoipDatabase);
  const timeouts = databaseTimeouts(config, role);
  const db = connect(config.databaseUrl, poolSize, timeouts);
  const clockDb =
    config.environment === "sandbox"
      ? connect(config.databaseUrl, 1, { ...timeouts, statement: clockMilliseconds })
      : null;
  const { databaseReplicaUrl: url } = config;
  const replica =
    url === null
      ? { reads: () => db }
      : opened.adopt(
          connectReplica(db, { url, poolSize, timeouts }, (error) =>
            log.warn({ err: error }, "the replica isn’t read for five seconds"),
          ),
          (connected) => connected.close(),
        );
  const sealer = createSealer(config.masterKey, "secrets");
  assertRestored(await isRestoring(db.sql));
  assertOwnDatabase(await db.prisma.environment.findUniqueOrThrow({ where: { id: 1 } }), config);
  const keys = opened.adopt(await loadKeyRing({ db, sealer, clock: systemClock, config, log }), (ring) => ring.stop());
  assertOwnKeys(
    await hasForeignKey(
      db.sql,
      keys.jwks().keys.map(({ kid }) => sha256Base64url(kid ?? "")),
    ),
  );
  const kept = opened.move();
  return {
    config,
    db,
    reads: replica.reads,
    clock: systemClock,
    businessClock: clockDb ? createSandboxClock({ db: clockDb, clock: systemClock }) : businessClockOf(systemClock),
    sealer,
    keys,
    processors: createProcessors(config),
    outbound: createOutbound({ allowLoopback: config.outboundLoopback }),
    webhookOutbound: createOutbound({ allowLoopback: config.webhookLoopback }),
    dns: createDns(config.dnsResolvers),
    places,
    voidUnsubmittedCharges: (sql, input) => voidUnsubmittedCharges({ config }, sql, input),
    log,
    close: () => kept.disposeAsync(),
  };
};
