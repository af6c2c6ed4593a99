import { type Board, type ComponentDay, type Incident, keptMilliseconds, type Maintenance } from "./board.ts";
import { firstPreviousHash } from "./days.ts";

/** What was published and the database no longer holds. */
export type Withheld = Pick<Board, "changes" | "heartbeats" | "days" | "incidents" | "maintenances">;

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

const lacksPostmortem = (read: Incident | undefined, { postmortem }: Incident): boolean =>
  postmortem?.publishedAt != null &&
  (!read?.postmortem?.publishedAt || read.postmortem.updatedAt < postmortem.updatedAt);

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
export const findWithheld = (
  read: Board,
  published: Board,
  replayed: readonly { id: string }[],
): Withheld | "another" | null => {
  const since = read.readAt.getTime() - keptMilliseconds;
  const changes = new Set(read.changes.map(({ id }) => id));
  const heartbeats = new Map(read.heartbeats.map(({ component, at }) => [component, at]));
  const incidents = new Map(read.incidents.map((one) => [one.id, one]));
  const maintenances = new Map(read.maintenances.map((one): [string, Maintenance] => [one.id, one]));
  const withheld: Withheld = {
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
  return isEarlierState(read, published, replayed) ? withheld : "another";
};
