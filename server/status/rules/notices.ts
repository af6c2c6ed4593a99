import { addSeconds } from "../../kernel/time/clock.ts";
import type { Board, Notice, Subscriber } from "./board.ts";
import { type PublicUpdate, publicUpdates } from "./feeds/public-updates.ts";

const minute = 60;
const hour = 60 * minute;

/** From the first try on, when the second, third … is made: eight within a day. */
const triesAfterSeconds: readonly number[] = [30, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 6 * hour, 20 * hour];

/** What is older than this when it could first be told is no news: the page tells it. */
const newsSeconds = 24 * hour;

/** @param attempts tries so far, all of them failed. */
export const isLastTry = (attempts: number): boolean => attempts > triesAfterSeconds.length;

export type DueNotice = { subscriber: Subscriber; update: PublicUpdate /** this try included */; attempts: number };

const isDue = (notice: Notice | undefined, now: Date): boolean => {
  if (!notice) return true;
  if (notice.sentAt || notice.givenUpAt) return false;
  const after = triesAfterSeconds[notice.attempts - 1];
  return after !== undefined && addSeconds(notice.createdAt, after) <= now;
};

/** Since a subscriber chose what it is told of. What was tried before goes on. */
const isNews = ({ confirmedAt }: Subscriber, { at }: PublicUpdate, notice: Notice | undefined): boolean =>
  confirmedAt <= at || notice !== undefined;

const concerns = ({ components }: Subscriber, { about }: PublicUpdate): boolean =>
  components.length === 0 || components.some((component) => about.components.includes(component));

/**
 * Whom to tell of what now, oldest update first: each update that became public after a subscriber confirmed, or
 * chose its components, once.
 */
export const dueNotices = (
  board: Pick<Board, "incidents" | "maintenances" | "subscribers" | "notices">,
  now: Date,
): DueNotice[] => {
  const notices = new Map(board.notices.map((notice) => [`${notice.subscriberId} ${notice.updateId}`, notice]));
  const news = publicUpdates(board).filter(({ at }) => at <= now && addSeconds(at, newsSeconds) > now);
  return news.toReversed().flatMap((update) =>
    board.subscribers
      .filter((subscriber) => concerns(subscriber, update))
      .flatMap((subscriber) => {
        const notice = notices.get(`${subscriber.id} ${update.id}`);
        return isNews(subscriber, update, notice) && isDue(notice, now)
          ? [{ subscriber, update, attempts: (notice?.attempts ?? 0) + 1 }]
          : [];
      }),
  );
};
