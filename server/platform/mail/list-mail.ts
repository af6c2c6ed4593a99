import { findMail, type MailRow } from "../../data/mail/outbox.ts";
import type { Deps } from "../../deps/deps.ts";

type Question = {
  state?: MailRow["state"] | undefined;
  /** a part of recipient or subject, or an id */
  search?: string | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

/** Everything queued in the last thirty days, whether it waits, was sent, is kept to be read, or was given up. Newest first. */
export const listMail = async (
  { db }: Pick<Deps, "db">,
  { state = undefined, search = undefined, startingAfter = undefined, limit }: Question,
): Promise<{ mail: MailRow[]; hasMore: boolean }> => {
  const rows = await findMail(db.sql, {
    state: state ?? null,
    search: search ?? null,
    startingAfter: startingAfter ?? null,
    limit,
  });
  return { mail: rows.slice(0, limit), hasMore: rows.length > limit };
};
