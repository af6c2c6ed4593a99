import type { Db, Sql } from "../data/client.ts";
import type { Sealer } from "../kernel/crypto/seal.ts";
import type { BusinessClock, Clock } from "../kernel/time/clock.ts";
import type { Config } from "./config.ts";
import type { Dns } from "./dns.ts";
import type { KeyRing } from "./key-ring.ts";
import type { Outbound } from "./outbound.ts";
import type { Places } from "./places.ts";
import type { Processors } from "./processor-port.ts";

/** One JSON line per call; `fields` never contains secrets. */
export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** the one line of an answered request */
  request(line: {
    requestId: string;
    operation: string;
    status: number;
    milliseconds: number;
    /** sent by one of our own processes: a probe, the simulator, the sandbox */
    isBackground?: boolean;
  }): void;
};

/** The dependencies of verbs. `compose.ts` wires them; tests pass their own. */
export type Deps = {
  config: Config;
  db: Db;
  /**
   * for the lists, charts, exports and searches of one request, never for a decision about money, tokens or revocation:
   * a standby that lags less than five seconds, or else `db`. Called by `forReading`
   */
  reads(): Db;
  /** real time */
  clock: Clock;
  /** for mandates, charges, refunds, grants and billing; never for tokens, sessions, leases or retries */
  businessClock: BusinessClock;
  /** seals secrets at rest, by purpose */
  sealer: Sealer;
  keys: KeyRing;
  processors: Processors;
  /** requests to URLs that clients chose, except webhook endpoints */
  outbound: Outbound;
  /** requests to webhook endpoints */
  webhookOutbound: Outbound;
  /** DNS records that participants publish */
  dns: Dns;
  /** the places of IP addresses, which help people to find sign-ins that weren't theirs */
  places: Places;
  /**
   * A port that the layer of charges implements. Mandates are in the layer below, but the revocation of a mandate must
   * void its charges in the same transaction.
   */
  voidUnsubmittedCharges(sql: Sql, input: { mandateId: string; at: Date; requestId: string }): Promise<void>;
  log: Log;
};

/** The caller of one request, for the audit log and log lines. */
export type RequestInfo = {
  requestId: string;
  ipAddress: string;
  userAgent: string;
};
