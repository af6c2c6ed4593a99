import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { holdBlocklist } from "../../data/oauth/blocklist/blocked-keys.ts";
import {
  deferClientKeyLoad,
  type FetchedKeySet,
  findKeySetOwner,
  type KeySetOwner,
  type LoadedKeySet,
  lockKeySetOwner,
  saveClientKeySet,
  takeClientKeyRefetch,
  updateClientKeyHashes,
} from "../../data/oauth/client-key-sets.ts";
import type { Deps } from "../../deps/deps.ts";
import { recordClientChange } from "../../directory/participants/record-client-change.ts";
import { isOAuthError, OAuthError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { areCurrent, isDeferred, refetchSeconds, retrySeconds } from "../rules/clients/key-set-age.ts";
import { fetchClientKeys } from "./fetch-client-keys.ts";
import { loadInTurn } from "./load-in-turn.ts";

type Client = {
  clientId: string;
  jwksUri: string;
  /** number of the load whose keys the caller has cached; null: none */
  generation: number | null;
};

/** The running loads, per database. Concurrent callers share one load of a client. */
const flights = new WeakMap<Sql, Map<string, Promise<LoadedKeySet | null>>>();

const share = <T extends LoadedKeySet | null>(
  { db }: Deps,
  { clientId, jwksUri, purpose }: Client & { purpose: "renew" | "refetch" },
  work: () => Promise<T>,
): Promise<T> => {
  const named = flights.get(db.sql) ?? new Map<string, Promise<LoadedKeySet | null>>();
  flights.set(db.sql, named);
  const name = `${purpose} ${clientId} ${jwksUri}`;
  const before = named.get(name);
  if (before) return before as Promise<T>;
  const flight = work().finally(() => named.delete(name));
  named.set(name, flight);
  return flight;
};

/**
 * The client's current keys: those that another process has just loaded, or a new load from the jwks_uri.
 * @throws OAuthError invalid_client if the load fails; temporarily_unavailable if too many loads wait. A failed load
 *   isn't repeated for some seconds.
 */
export const renewClientKeys = (deps: Deps, client: Client): Promise<LoadedKeySet> =>
  share(deps, { ...client, purpose: "renew" }, () =>
    loadInTurn(deps, client.clientId, async () => {
      const now = deps.clock.now();
      const owner = await getOwner(deps.db.sql, client);
      const other = loadedByOthers(client, owner);
      if (other && areCurrent(other, now)) return other;
      if (isDeferred(owner.retryAt, now)) throw keysUnavailableRefusal();
      return load(deps, client, owner);
    }),
  );

/**
 * Reloads the keys because a kid is unknown. This happens at most once per client and minute, across all processes.
 * @returns null if the keys were reloaded within the last minute and the caller already has them.
 * @throws OAuthError invalid_client if the load fails; temporarily_unavailable if too many loads wait.
 */
export const refetchClientKeys = (deps: Deps, client: Client): Promise<LoadedKeySet | null> =>
  share(deps, { ...client, purpose: "refetch" }, async () => {
    const loaded = await loadInTurn(deps, client.clientId, () => refetchOnce(deps, client));
    return loaded ?? (await awaitOtherLoad(deps, client));
  });

/** @returns null if the keys were reloaded within the last minute. */
const refetchOnce = async (deps: Deps, client: Client): Promise<LoadedKeySet | null> => {
  const now = deps.clock.now();
  const { clientId } = client;
  const isFirst = await takeClientKeyRefetch(deps.db.sql, { clientId, now, before: addSeconds(now, -refetchSeconds) });
  return isFirst ? load(deps, client, await getOwner(deps.db.sql, client)) : null;
};

const pollMilliseconds = 200;
/** Slightly longer than a load can take. */
const maxPolls = 30;

/** Waits while another process is loading the keys. @returns null if the caller already has the stored keys. */
const awaitOtherLoad = async ({ db, clock }: Deps, client: Client): Promise<LoadedKeySet | null> => {
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const owner = await getOwner(db.sql, client);
    const other = loadedByOthers(client, owner);
    if (other || !isBeingRefetched(owner, clock.now())) return other;
    await wait(pollMilliseconds);
  }
  return null;
};

/** The wait is limited, because the other process may have crashed. */
const isBeingRefetched = ({ isRefetching, refetchedAt }: KeySetOwner, now: Date): boolean =>
  isRefetching === true && refetchedAt !== null && now < addSeconds(refetchedAt, (pollMilliseconds * maxPolls) / 1000);

const loadedByOthers = (client: Client, owner: KeySetOwner): LoadedKeySet | null => {
  const { jwks, generation, loadedAt, expiresAt, keyThumbprintHashes } = owner;
  if (jwks === null || generation === null || loadedAt === null || expiresAt === null) return null;
  return generation === client.generation ? null : { jwks, generation, loadedAt, expiresAt, keyThumbprintHashes };
};

const keysUnavailableRefusal = (cause?: unknown) =>
  new OAuthError("invalid_client", "the client's keys can't be loaded from its jwks_uri", { cause });

const getOwner = async (sql: Sql, client: Client, find = findKeySetOwner): Promise<KeySetOwner> => {
  const owner = await find(sql, client.clientId);
  if (owner?.jwksUri !== client.jwksUri) throw keysUnavailableRefusal();
  return owner;
};

const load = async (deps: Deps, client: Client, before: KeySetOwner): Promise<LoadedKeySet> => {
  try {
    const fetched = await fetchClientKeys(deps, {
      jwksUri: client.jwksUri,
      knownHashes: before.keyThumbprintHashes,
      canWait: false,
    });
    return await keep(deps, { ...client, generation: before.generation }, fetched);
  } catch (error) {
    if (!isOAuthError(error)) throw error;
    await deferClientKeyLoad(deps.db.sql, client.clientId, addSeconds(deps.clock.now(), retrySeconds));
    throw keysUnavailableRefusal(error);
  }
};

/** If several loads run concurrently, the first result is stored, and all callers use it. */
const keep = (deps: Deps, client: Client, fetched: FetchedKeySet): Promise<LoadedKeySet> =>
  deps.db.sqlTransaction(async (sql) => {
    const { clientId } = client;
    const owner = await getOwner(sql, client, lockKeySetOwner);
    const other = loadedByOthers(client, owner);
    if (other) return other;
    const generation = await saveClientKeySet(sql, clientId, fetched);
    const { keyThumbprintHashes } = fetched;
    if (!isSameSet(owner.keyThumbprintHashes, keyThumbprintHashes)) {
      // A blocked key in the set is stored but not used: the client's other keys must keep working.
      await holdBlocklist(sql);
      await updateClientKeyHashes(sql, clientId, keyThumbprintHashes);
      const [at, actor] = [fetched.loadedAt, { kind: "client", id: clientId } as const];
      const { environment } = deps.config;
      await recordClientChange(sql, { clientId, change: "keys_changed", at, actor, environment });
      await appendAudit(sql, {
        at,
        actor,
        action: "client.keys_loaded",
        subjectId: clientId,
        requestId: "-",
        data: { thumbprint_hashes: keyThumbprintHashes },
      });
    }
    return { ...fetched, generation };
  });

const isSameSet = (left: readonly string[], right: readonly string[]): boolean =>
  // Sorted, because a set may contain one key under two kids.
  isDeepStrictEqual(left.toSorted(), right.toSorted());
