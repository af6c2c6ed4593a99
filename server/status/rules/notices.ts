import { addSeconds } from "../../kernel/time/clock.ts";
import type { Board, Notice, Subscriber } from "./board.ts";
import { type PublicUpdate, publicUpdates } from "./feeds/public-updates.ts";

const minute = 60;
const hour = 60 * minute;

/** How long after the first attempt the second, third … attempt is made: eight attempts within a day. */
const retryAfterSeconds: readonly number[] = [30, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 6 * hour, 20 * hour];

/** Older updates aren't sent; they are only on the page. */
const maxAgeSeconds = 24 * hour;

/** @param attempts made so far, including this one. */
export const isLastAttempt = (attempts: number): boolean => attempts > retryAfterSeconds.length;

/** `attempts` includes the one that is due. */
export type DueNotice = { subscriber: Subscriber; update: PublicUpdate; attempts: number };

const isDue = (notice: Notice | undefined, now: Date): boolean => {
  if (!notice) return true;
  if (notice.sentAt || notice.abandonedAt) return false;
  const after = retryAfterSeconds[notice.attempts - 1];
  return after !== undefined && addSeconds(notice.createdAt, after) <= now;
};

/** Whether the update is newer than the subscriber's confirmation or selection, or was already attempted. */
const isNew = ({ confirmedAt }: Subscriber, { at }: PublicUpdate, notice: Notice | undefined): boolean =>
  confirmedAt <= at || notice !== undefined;

const concerns = ({ components }: Subscriber, { about }: PublicUpdate): boolean =>
  components.length === 0 || components.some((component) => about.components.includes(component));

/**
 * Notices to send now, oldest update first. A subscriber gets each update once if it became public after the subscriber
 * confirmed or selected components.
 */
export const dueNotices = (
  board: Pick<Board, "incidents" | "maintenances" | "subscribers" | "notices">,
  now: Date,
): DueNotice[] => {
  const notices = new Map(board.notices.map((notice) => [`${notice.subscriberId} ${notice.updateId}`, notice]));
  const updates = publicUpdates(board).filter(({ at }) => at <= now && addSeconds(at, maxAgeSeconds) > now);
  return updates.toReversed().flatMap((update) =>
    board.subscribers
      .filter((subscriber) => concerns(subscriber, update))
      .flatMap((subscriber) => {
        const notice = notices.get(`${subscriber.id} ${update.id}`);
        return isNew(subscriber, update, notice) && isDue(notice, now)
          ? [{ subscriber, update, attempts: (notice?.attempts ?? 0) + 1 }]
          : [];
      }),
  );
};
