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

/** What was published and the database no longer holds. */
type Published = Pick<Board, "changes" | "heartbeats" | "days" | "incidents" | "maintenances">;

/** Who is told of what, as it stood last. */
type MissingSubscriptions = {
  /** who subscribed, or chose other components, since the state that the database is in */
  subscribers: Subscriber[];
  /** who unsubscribed since */
  ended: { id: string }[];
  notices: Notice[];
};

export type MissingRecords = Published & MissingSubscriptions;

const lastHashOf = (days: readonly ComponentDay[], component: string): string =>
  days.findLast((day) => day.component === component)?.hash ?? firstPreviousHash;

/** Days behind the last one of each component, where they go on with its chain. */
const daysBehind = (read: Board, published: Board, since: number): ComponentDay[] => {
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
  told: { updates: { id: string }[] },
): boolean => {
  const known = new Set(read?.updates.map(({ id }) => id));
  return told.updates.some(({ id }) => !known.has(id));
};

const lacksPostmortem = (read: Incident | undefined, { postmortem }: Incident): boolean => {
  if (postmortem?.publishedAt == null) return false;
  const known = read?.postmortem;
  if (!known?.publishedAt || known.updatedAt < postmortem.updatedAt) return true;
  // That an action is done is no edit.
  const open = new Set(known.actions.flatMap(({ id, doneAt }) => (doneAt ? [] : [id])));
  return known.updatedAt <= postmortem.updatedAt && postmortem.actions.some(({ id, doneAt }) => doneAt && open.has(id));
};

/** Of a database that is known to be in an earlier state: by itself a difference is what somebody did just now. */
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

/** A restored database is an earlier state of the same one: what the probes had said in it by then was published. */
const isEarlierState = (read: Board, published: Board, replayed: readonly { id: string }[]): boolean => {
  const told = new Set([...published.changes, ...replayed].map(({ id }) => id));
  return read.changes.every(({ id, source, at }) => source !== "probe" || at > published.readAt || told.has(id));
};

/**
 * What a database lacks of what was published from it, which is nothing until it is restored to an earlier state: nothing
 * that is told on the page is ever deleted or rewritten within the time that is kept.
 * @param published what was read before `read` was.
 * @param replayed what the database was told in between.
 * @returns null: nothing; "another": it lacks something and is no earlier state of the same database.
 */
export const findMissingRecords = (
  read: Board,
  published: Board,
  replayed: readonly { id: string }[],
): MissingRecords | "another" | null => {
  const since = read.readAt.getTime() - retentionMilliseconds;
  const changes = new Set(read.changes.map(({ id }) => id));
  const heartbeats = new Map(read.heartbeats.map(({ component, at }) => [component, at]));
  const incidents = new Map(read.incidents.map((one) => [one.id, one]));
  const maintenances = new Map(read.maintenances.map((one): [string, Maintenance] => [one.id, one]));
  const withheld: Published = {
    changes: published.changes.filter(({ id, at }) => at.getTime() >= since && !changes.has(id)),
    heartbeats: published.heartbeats.filter(({ component, at }) => {
      const known = heartbeats.get(component);
      return known === undefined || known < at;
    }),
    days: daysBehind(read, published, since),
    incidents: published.incidents.filter((told) => {
      const known = incidents.get(told.id);
      const isTold = told.publicAt !== null && told.startedAt.getTime() >= since;
      return isTold && (lacksUpdates(known, told) || lacksPostmortem(known, told));
    }),
    maintenances: published.maintenances.filter(
      (told) => told.scheduledFrom.getTime() >= since && lacksUpdates(maintenances.get(told.id), told),
    ),
  };
  if (Object.values(withheld).every(({ length }) => length === 0)) return null;
  return isEarlierState(read, published, replayed)
    ? { ...withheld, ...findMissingSubscriptions(read, published) }
    : "another";
};
