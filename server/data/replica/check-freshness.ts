import type pg from "pg";
import { type Db, statement } from "../client.ts";
import { StaleReplica } from "./checked-pool.ts";
import { WalPositions } from "./wal-positions.ts";

/** A connection is checked again after this time, and the primary's position is read again. */
const checkMilliseconds = 1_000;
/** How long a standby may take to connect or to answer a check. */
export const answerMilliseconds = 1_000;
const checkLimit = { query_timeout: answerMilliseconds };

/** `position` is null if the server is not a standby. */
type Replayed = { cluster: string; position: string | null };
type Place = { cluster: string; position: bigint | null };

const findPrimaryPosition = statement<Place>(
  "find_wal_position",
  `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS cluster,
          CASE WHEN NOT pg_is_in_recovery() THEN (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint END AS position`,
);

const findReplayedPosition = `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS cluster,
  CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint END::text AS position`;

/**
 * Creates the check of a connection to a standby. A connection that was checked within the last second isn't checked
 * again.
 * @throws StaleReplica if the server isn't a standby, belongs to another cluster or lags, or if the primary's position
 *   can't be read.
 */
export const freshnessCheck = (primary: Db): ((client: pg.PoolClient) => Promise<void>) => {
  const positions = new WalPositions();
  let cluster: string | undefined;
  let reading: Promise<void> | undefined;

  /** Concurrent checks share one statement. */
  const readPrimary = async (): Promise<void> => {
    if (performance.now() - (positions.newest()?.readAt ?? Number.NEGATIVE_INFINITY) < checkMilliseconds) return;
    reading ??= (async () => {
      const readAt = performance.now();
      const [place] = await primary.sql.query(findPrimaryPosition, []).catch((cause: unknown) => {
        throw new StaleReplica("The position of the primary can't be read.", { cause });
      });
      if (!place || place.position === null) throw new StaleReplica("The primary is a standby.");
      cluster = place.cluster;
      positions.add({ position: place.position, readAt });
    })().finally(() => {
      reading = undefined;
    });
    await reading;
  };

  const checks = new WeakMap<pg.PoolClient, { at: number; refusal: string | null }>();
  const findRefusal = async (client: pg.PoolClient): Promise<string | null> => {
    await readPrimary();
    const { rows } = await client.query<Replayed>({ text: findReplayedPosition, ...checkLimit });
    const [place] = rows;
    if (!place || place.position === null) return "The replica is not a standby.";
    if (place.cluster !== cluster) return "The replica belongs to another cluster.";
    return positions.isFresh(BigInt(place.position), performance.now()) ? null : "The replica lags.";
  };
  return async (client) => {
    let last = checks.get(client);
    if (!last || performance.now() - last.at >= checkMilliseconds) {
      const at = performance.now();
      last = { at, refusal: await findRefusal(client) };
      checks.set(client, last);
    }
    if (last.refusal !== null) throw new StaleReplica(last.refusal);
  };
};
