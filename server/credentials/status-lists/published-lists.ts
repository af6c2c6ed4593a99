import { findListBody, findListCatalog, type PublishedList } from "../../data/credentials/status-list-publication.ts";
import type { StatusListKind } from "../../data/credentials/status-lists.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError, isDomainError } from "../../kernel/errors.ts";
import { ttlSeconds } from "../rules/status-list-claims.ts";

/** Interval at which a process compares its cache with the database. */
const revalidateMilliseconds = 1_000;
/**
 * If the database is unavailable, cached lists are served for this time after they were last compared. A failover takes
 * up to 30 s, and a request that waits on a silent connection 12 s more. After this time, no outdated list is served as
 * valid.
 */
const staleMilliseconds = 2 * ttlSeconds * 1_000;
/** Maximum number of cached bodies, about 4 MB: 32 list numbers of three lists. Others are read on request. */
const maxBodies = 96;

/** The body is stored as bytes: a socket sends bytes unchanged, but would encode text again for every reader. */
type ListBody = { body: Uint8Array; etag: string; validUntil: Date };

export type PublishedLists = {
  /** every signed list, lowest number first */
  catalog(): Promise<readonly PublishedList[]>;
  /** @param at an instant. @returns the newest list of that instant; by default, of now. */
  newest(kind: StatusListKind, at?: Date): Promise<PublishedList>;
  find(listId: string): Promise<PublishedList | null>;
  /** @throws DomainError unavailable before the list's first build, after its expiry, and if it can't be read. */
  body(list: PublishedList): Promise<ListBody>;
};

const ofDeps = new WeakMap<Deps, PublishedLists>();

/** The stored lists, cached by this process. While the database is available, the cache lags it by about a second. */
export const publishedLists = (deps: Deps): PublishedLists => {
  const existing = ofDeps.get(deps);
  if (existing) return existing;
  const created = createPublishedLists(deps);
  ofDeps.set(deps, created);
  return created;
};

const createPublishedLists = (deps: Deps): PublishedLists => {
  const { current, readAt } = createCatalogCache(deps);
  const { findRemembered, load } = createBodyCache(deps);
  return {
    catalog: async () => (await current()).lists.filter((list) => list.etag !== null),
    async newest(kind, at) {
      const { lists } = await current();
      const isOpen = ({ openedAt }: PublishedList) => at === undefined || openedAt <= at;
      const found = lists.findLast((list) => list.kind === kind && list.etag !== null && isOpen(list));
      if (!found && at !== undefined) throw listNotFound();
      if (!found) throw notReadyRefusal();
      return found;
    },
    find: async (listId) => (await current()).byId.get(listId) ?? null,
    async body(list) {
      const body = findRemembered(list, readAt()) ?? (await load(list.id));
      if (body.validUntil <= deps.clock.now()) throw notReadyRefusal();
      return body;
    },
  };
};

type Snapshot = { lists: readonly PublishedList[]; byId: ReadonlyMap<string, PublishedList>; readAt: number };

/** Which lists exist, without their bodies. */
const createCatalogCache = (deps: Deps) => {
  let snapshot: Snapshot | null = null;
  let reading: Promise<Snapshot> | null = null;

  const read = async (): Promise<Snapshot> => {
    // The time is read before the query, because the query may miss a change that commits while it runs.
    const readAt = performance.now();
    const lists = await findListCatalog(deps.db.sql);
    snapshot = { lists, byId: new Map(lists.map((list) => [list.id, list])), readAt };
    return snapshot;
  };

  return {
    // The cache's age is measured by the machine's time, not by the product's clock.
    async current(): Promise<Snapshot> {
      const age = snapshot ? performance.now() - snapshot.readAt : Number.POSITIVE_INFINITY;
      if (snapshot && age < revalidateMilliseconds) return snapshot;
      reading ??= read().finally(() => {
        reading = null;
      });
      try {
        return await reading;
      } catch (error) {
        if (snapshot && age < staleMilliseconds) return snapshot;
        throw unreadableListError(deps, error);
      }
    },
    /** When the current lists were read, in machine time; 0 before the first read. */
    readAt: (): number => snapshot?.readAt ?? 0,
  };
};

/** Caches the bytes of the lists that were read most recently. */
const createBodyCache = (deps: Deps) => {
  /** `readAt`: the last time at which the database had these bytes, in machine time */
  const bodies = new Map<string, ListBody & { readAt: number }>();
  const loading = new Map<string, Promise<ListBody>>();

  const read = async (id: string): Promise<ListBody> => {
    const readAt = performance.now();
    const stored = await findListBody(deps.db.sql, id);
    if (!stored) throw notReadyRefusal();
    const found = { ...stored, body: Buffer.from(stored.body) };
    bodies.delete(id);
    bodies.set(id, { ...found, readAt });
    const [oldest] = bodies.keys();
    if (bodies.size > maxBodies && oldest !== undefined) bodies.delete(oldest);
    return found;
  };

  return {
    /** Bytes that were read after the catalog are at least as new as the catalog, even if their etags differ. */
    findRemembered(list: PublishedList, catalogReadAt: number): ListBody | null {
      const known = bodies.get(list.id);
      if (!known) return null;
      if (known.etag === list.etag) known.readAt = Math.max(known.readAt, catalogReadAt);
      return known.readAt >= catalogReadAt ? known : null;
    },
    /** Concurrent callers for one list share one query. */
    load(id: string): Promise<ListBody> {
      const startedAt = performance.now();
      const running = loading.get(id) ?? read(id).finally(() => loading.delete(id));
      loading.set(id, running);
      return running.catch((error) => {
        if (isDomainError(error)) throw error;
        const known = bodies.get(id);
        if (known && startedAt - known.readAt < staleMilliseconds) return known;
        throw unreadableListError(deps, error);
      });
    },
  };
};

const unreadableListError = ({ log }: Deps, error: unknown): DomainError => {
  log.warn({ err: error }, "reading the status lists failed");
  return notReadyRefusal();
};

export const listNotFound = () =>
  new DomainError("not_found", {
    code: "unknown_status_list",
    message: "Status list not found, or it didn't exist at that time.",
  });

const notReadyRefusal = () =>
  new DomainError("unavailable", {
    code: "status_list_unavailable",
    message: "The status list isn't available at the moment. Try again later.",
    headers: { "retry-after": "1" },
  });
