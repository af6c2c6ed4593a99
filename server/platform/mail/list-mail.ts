import { findMail, type MailRow } from "../../data/mail/outbox.ts";
import type { Deps } from "../../deps/deps.ts";

type MailFilter = {
  state?: MailRow["state"] | undefined;
  /** part of a recipient or subject, or an id */
  search?: string | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

/** The mail of the last 30 days in any state, newest first. */
export const listMail = async (
  { db }: Pick<Deps, "db">,
  { state = undefined, search = undefined, startingAfter = undefined, limit }: MailFilter,
): Promise<{ mail: MailRow[]; hasMore: boolean }> => {
  const rows = await findMail(db.sql, {
    state: state ?? null,
    search: search ?? null,
    startingAfter: startingAfter ?? null,
    limit,
  });
  return { mail: rows.slice(0, limit), hasMore: rows.length > limit };
};
