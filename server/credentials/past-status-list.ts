import { findFlaggedIndexesAt, type PublishedList } from "../data/status-list-publication.ts";
import type { Deps } from "../deps.ts";
import { addSeconds } from "../kernel/clock.ts";
import { ttlSeconds } from "./rules/status-list-claims.ts";
import { etagOf, signList } from "./sign-status-list.ts";

type PastList = { body: string; etag: string };

/** Asked for again within a while, the same instant has the same bytes; the oldest leaves first. */
const remembered = new WeakMap<Deps["keys"], Map<string, Promise<PastList>>>();
const maxRemembered = 64;

/**
 * A list as it was at an earlier instant, signed when it is asked for: valid from that instant for one ttl, so that
 * nobody takes it for the present one.
 */
export const pastStatusList = (deps: Deps, list: PublishedList, at: Date): Promise<PastList> => {
  const key = deps.keys.signingKey("credential");
  const known = remembered.get(deps.keys) ?? new Map<string, Promise<PastList>>();
  remembered.set(deps.keys, known);
  const name = `${key.kid} ${list.id} ${at.getTime()}`;
  const before = known.get(name);
  if (before) return before;
  const made = make(deps, list, at).catch((error) => {
    known.delete(name);
    throw error;
  });
  if (known.size >= maxRemembered) known.delete(known.keys().next().value ?? "");
  known.set(name, made);
  return made;
};

const make = async (deps: Deps, { id, kind, number }: PublishedList, at: Date): Promise<PastList> => {
  const flagged = await findFlaggedIndexesAt(deps.db.sql, number, at);
  const key = deps.keys.signingKey("credential");
  const body = await signList(deps, key, { listId: id, kind, flagged, from: at, until: addSeconds(at, ttlSeconds) });
  return { body, etag: etagOf(body) };
};
