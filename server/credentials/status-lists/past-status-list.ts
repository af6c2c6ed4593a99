import { findFlaggedIndexesAt, type PublishedList } from "../../data/credentials/status-list-publication.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { ttlSeconds } from "../rules/status-list-claims.ts";
import { etagOf, signList } from "./sign-status-list.ts";

type PastList = { body: string; etag: string };

/** The past lists that one process caches, and the requests that it is serving. */
type PastListQueue = { answers: Map<string, Promise<PastList>>; running: number; waiting: (() => void)[] };

const queues = new WeakMap<Deps["keys"], PastListQueue>();
const maxAnswers = 64;
/** Maximum number of past lists that are made at the same time. It is low, because current lists take priority. */
const maxRunning = 2;
const maxWaiting = 64;
/** Longer than any transaction that changes a status. After this delay the bits of an instant are final. */
const settledMilliseconds = 30_000;

/**
 * Returns a list as of an earlier instant, signed on request. It is valid from that instant for one ttl, so that it
 * isn't mistaken for the current list. A list for an instant at least half a minute ago is cached, so that each request
 * for this instant returns the same bytes.
 * @throws DomainError unavailable if too many requests for past lists are waiting.
 */
export const pastStatusList = (deps: Deps, list: PublishedList, at: Date): Promise<PastList> => {
  const queue = queues.get(deps.keys) ?? { answers: new Map(), running: 0, waiting: [] };
  queues.set(deps.keys, queue);
  const { answers } = queue;
  const name = `${deps.keys.signingKey("credential").kid} ${list.id} ${at.getTime()}`;
  const before = answers.get(name);
  if (before) return before;
  const signed = inTurn(queue, () => make(deps, list, at)).catch((error) => {
    answers.delete(name);
    throw error;
  });
  // A change with an earlier timestamp becomes visible only when its transaction commits.
  if (deps.clock.now().getTime() - at.getTime() < settledMilliseconds) return signed;
  // Evicts the oldest entry first.
  if (answers.size >= maxAnswers) answers.delete(answers.keys().next().value ?? "");
  answers.set(name, signed);
  return signed;
};

const inTurn = async <T>(queue: PastListQueue, work: () => Promise<T>): Promise<T> => {
  if (queue.running < maxRunning) queue.running += 1;
  else if (queue.waiting.length >= maxWaiting) throw tooManyRequestsRefusal();
  else await new Promise<void>((resolve) => queue.waiting.push(resolve));
  try {
    return await work();
  } finally {
    // The request that has waited longest takes the free slot.
    const next = queue.waiting.shift();
    if (next) next();
    else queue.running -= 1;
  }
};

const tooManyRequestsRefusal = () =>
  new DomainError("unavailable", {
    code: "status_list_unavailable",
    message: "Too many requests for past status lists. Try again later.",
    headers: { "retry-after": "1" },
  });

const make = async (deps: Deps, { id, kind, number }: PublishedList, at: Date): Promise<PastList> => {
  const flagged = await findFlaggedIndexesAt(deps.db.sql, number, at);
  const key = deps.keys.signingKey("credential");
  const body = await signList(deps, key, { listId: id, kind, flagged, from: at, until: addSeconds(at, ttlSeconds) });
  return { body, etag: etagOf(body) };
};
