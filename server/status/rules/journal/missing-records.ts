import {
  type Board,
  type ComponentDay,
  type Incident,
  type Maintenance,
  type Notice,
  retentionMilliseconds,
  type Subscriber,
} from "../board.ts";
import { firstPreviousHash } from "../uptime/days.ts";

/** Published records that the database lacks. */
type Published = Pick<Board, "changes" | "heartbeats" | "days" | "incidents" | "maintenances">;

/** Changes of subscriptions that the database lacks. */
type MissingSubscriptions = {
  /** those who subscribed or selected other components after the time to which the database was restored */
  subscribers: Subscriber[];
  /** those who unsubscribed after that time */
  ended: { id: string }[];
  notices: Notice[];
};

export type MissingRecords = Published & MissingSubscriptions;

const lastHashOf = (days: readonly ComponentDay[], component: string): string =>
  days.findLast((day) => day.component === component)?.hash ?? firstPreviousHash;

/**
 * For each component, the published frozen days after its last stored day. If these days don't continue the component's
 * hash chain, none of them is returned.
 */
const daysAfter = (read: Board, published: Board, since: number): ComponentDay[] => {
  const components = new Set(published.days.map(({ component }) => component));
  return [...components].flatMap((component) => {
    const last = read.days.findLast((day) => day.component === component);
    const from = last ? last.day.getTime() + 1 : since;
    const behind = published.days.filter((day) => day.component === component && day.day.getTime() >= from);
    return behind[0]?.previousHash === lastHashOf(read.days, component) ? behind : [];
  });
};

const lacksUpdates = (
  read: { updates: { id: string }[] } | undefined,
  published: { updates: { id: string }[] },
): boolean => {
  const known = new Set(read?.updates.map(({ id }) => id));
  return published.updates.some(({ id }) => !known.has(id));
};

const lacksPostmortem = (read: Incident | undefined, { postmortem }: Incident): boolean => {
  if (postmortem?.publishedAt == null) return false;
  const known = read?.postmortem;
  if (!known?.publishedAt || known.updatedAt < postmortem.updatedAt) return true;
  // Marking an action as done doesn't change `updatedAt`.
  const open = new Set(known.actions.flatMap(({ id, doneAt }) => (doneAt ? [] : [id])));
  return known.updatedAt <= postmortem.updatedAt && postmortem.actions.some(({ id, doneAt }) => doneAt && open.has(id));
};

/**
 * Call this only if the database is known to be in an earlier state. Otherwise, a difference may be a change made just
 * now.
 */
const findMissingSubscriptions = (read: Board, published: Board): MissingSubscriptions => {
  const [known, last] = [read, published].map(({ subscribers }) => new Map(subscribers.map((one) => [one.id, one])));
  const notices = new Map(read.notices.map((notice) => [`${notice.subscriberId} ${notice.updateId}`, notice]));
  return {
    subscribers: published.subscribers.filter(({ id, components }) => {
      const before = known?.get(id);
      return before?.components.join() !== components.join();
    }),
    ended: read.subscribers.flatMap(({ id, confirmedAt }) =>
      confirmedAt <= published.readAt && !last?.has(id) ? [{ id }] : [],
    ),
    notices: published.notices.filter(
      ({ subscriberId, updateId, attempts }) => (notices.get(`${subscriberId} ${updateId}`)?.attempts ?? 0) < attempts,
    ),
  };
};

/**
 * Whether this is an earlier state of the same database, and not another database. In an earlier state, every change
 * that a probe recorded in the database is already published.
 */
const isEarlierState = (read: Board, published: Board, replayed: readonly { id: string }[]): boolean => {
  const known = new Set([...published.changes, ...replayed].map(({ id }) => id));
  return read.changes.every(({ id, source, at }) => source !== "probe" || at > published.readAt || known.has(id));
};

/**
 * Published records that the database lacks because it was restored to an earlier state. Nothing published is deleted
 * or rewritten within the retention time, so a difference has no other cause.
 * @param published the board as it was read before `read`.
 * @param replayed records written to the database in between.
 * @returns null if nothing is missing; "different_database" if this isn't an earlier state of the same database.
 */
export const findMissingRecords = (
  read: Board,
  published: Board,
  replayed: readonly { id: string }[],
): MissingRecords | "different_database" | null => {
  const since = read.readAt.getTime() - retentionMilliseconds;
  const changes = new Set(read.changes.map(({ id }) => id));
  const heartbeats = new Map(read.heartbeats.map(({ component, at }) => [component, at]));
  const incidents = new Map(read.incidents.map((one) => [one.id, one]));
  const maintenances = new Map(read.maintenances.map((one): [string, Maintenance] => [one.id, one]));
  const missing: Published = {
    changes: published.changes.filter(({ id, at }) => at.getTime() >= since && !changes.has(id)),
    heartbeats: published.heartbeats.filter(({ component, at }) => {
      const known = heartbeats.get(component);
      return known === undefined || known < at;
    }),
    days: daysAfter(read, published, since),
    incidents: published.incidents.filter((incident) => {
      const known = incidents.get(incident.id);
      const isPublic = incident.publicAt !== null && incident.startedAt.getTime() >= since;
      return isPublic && (lacksUpdates(known, incident) || lacksPostmortem(known, incident));
    }),
    maintenances: published.maintenances.filter(
      (one) => one.scheduledFrom.getTime() >= since && lacksUpdates(maintenances.get(one.id), one),
    ),
  };
  if (Object.values(missing).every(({ length }) => length === 0)) return null;
  return isEarlierState(read, published, replayed)
    ? { ...missing, ...findMissingSubscriptions(read, published) }
    : "different_database";
};
