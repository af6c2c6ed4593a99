import { findFlaggedIndexesAt, type PublishedList } from "../../data/credentials/status-list-publication.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { ttlSeconds } from "../rules/status-list-claims.ts";
import { etagOf, signList } from "./sign-status-list.ts";

type PastList = { body: string; etag: string };

/** What one process holds of the past: the last answers, and who is being served. */
type Desk = { answers: Map<string, Promise<PastList>>; running: number; waiting: (() => void)[] };

const desks = new WeakMap<Deps["keys"], Desk>();
const maxAnswers = 64;
/** Anybody may ask, and each answer costs a reading of the bits and a signature: the present goes first. */
const maxRunning = 2;
const maxWaiting = 64;
/** Longer than any transaction that changes a status takes: from then on nothing about an instant is news any more. */
const settledMilliseconds = 30_000;

/**
 * A list as it was at an earlier instant, signed when it is asked for: valid from that instant for one ttl, so that
 * nobody takes it for the present one. Asked for again within a while, the same instant has the same bytes, once half a
 * minute has passed since.
 * @throws DomainError unavailable where too many wait for answers about the past.
 */
export const pastStatusList = (deps: Deps, list: PublishedList, at: Date): Promise<PastList> => {
  const desk = desks.get(deps.keys) ?? { answers: new Map(), running: 0, waiting: [] };
  desks.set(deps.keys, desk);
  const { answers } = desk;
  const name = `${deps.keys.signingKey("credential").kid} ${list.id} ${at.getTime()}`;
  const before = answers.get(name);
  if (before) return before;
  const made = inTurn(desk, () => make(deps, list, at)).catch((error) => {
    answers.delete(name);
    throw error;
  });
  // A change that is stamped with an instant is seen by others only once it is committed.
  if (deps.clock.now().getTime() - at.getTime() < settledMilliseconds) return made;
  // The oldest leaves first.
  if (answers.size >= maxAnswers) answers.delete(answers.keys().next().value ?? "");
  answers.set(name, made);
  return made;
};

const inTurn = async <T>(desk: Desk, work: () => Promise<T>): Promise<T> => {
  if (desk.running < maxRunning) desk.running += 1;
  else if (desk.waiting.length >= maxWaiting) throw tooManyWait();
  else await new Promise<void>((resolve) => desk.waiting.push(resolve));
  try {
    return await work();
  } finally {
    // Whoever waits longest takes the place over.
    const next = desk.waiting.shift();
    if (next) next();
    else desk.running -= 1;
  }
};

const tooManyWait = () =>
  new DomainError(
    "unavailable",
    "status_list_unavailable",
    "Too many requests for past status lists. Try again later.",
    {
      headers: { "retry-after": "1" },
    },
  );

const make = async (deps: Deps, { id, kind, number }: PublishedList, at: Date): Promise<PastList> => {
  const flagged = await findFlaggedIndexesAt(deps.db.sql, number, at);
  const key = deps.keys.signingKey("credential");
  const body = await signList(deps, key, { listId: id, kind, flagged, from: at, until: addSeconds(at, ttlSeconds) });
  return { body, etag: etagOf(body) };
};
