import type { Sql } from "../../data/client.ts";
import {
  findDueListNumbers,
  lockListsOfNumber,
  storeList,
  takeFlaggedIndexes,
} from "../../data/credentials/status-list-publication.ts";
import { newestListNumber, openLists, statusListKinds } from "../../data/credentials/status-lists.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { renewalSeconds, validitySeconds } from "../rules/status-list-claims.ts";
import { etagOf, signList } from "./sign-status-list.ts";

/** Minimum time between two builds of a list (docs/spec/payments.md, Status lists). */
const buildIntervalSeconds = 1;

/**
 * Builds and signs every list that lacks a changed bit, expires soon or wasn't signed by the active key. Any number of
 * processes may call it concurrently: exactly one of them builds each list number.
 * @returns the number of list numbers that were built.
 */
export const publishStatusLists = async (deps: Deps): Promise<number> => {
  const now = deps.clock.now();
  const builtBefore = addSeconds(now, -buildIntervalSeconds);
  const numbers = await findDueListNumbers(deps.db.sql, {
    builtBefore,
    endingBefore: addSeconds(now, renewalSeconds),
    kid: deps.keys.signingKey("credential").kid,
  });
  let built = 0;
  for (const number of numbers) {
    if (await deps.db.sqlTransaction((sql) => buildLists(deps, sql, { number, builtBefore, now }))) built += 1;
  }
  return built;
};

/** Opens and signs the first lists of an environment, so that they are available from the first request. */
export const ensureStatusLists = async (deps: Deps): Promise<void> => {
  if ((await newestListNumber(deps.db.sql)) === 0) await openLists(deps.db.sql, 1, deps.clock.now());
  await publishStatusLists(deps);
};

const buildLists = async (
  deps: Deps,
  sql: Sql,
  { number, builtBefore, now }: { number: number; builtBefore: Date; now: Date },
): Promise<boolean> => {
  const lists = await lockListsOfNumber(sql, number);
  const isOurs = lists.length === statusListKinds.length;
  if (!isOurs || lists.some((list) => list.builtAt !== null && list.builtAt > builtBefore)) return false;
  const flagged = await takeFlaggedIndexes(sql, number);
  const key = deps.keys.signingKey("credential");
  const validUntil = addSeconds(now, validitySeconds);
  for (const { id, kind } of lists) {
    const body = await signList(deps, key, { listId: id, kind, flagged, from: now, until: validUntil });
    await storeList(sql, { id, body, etag: etagOf(body), kid: key.kid, builtAt: now, validUntil });
  }
  return true;
};
