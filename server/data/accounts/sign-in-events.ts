import { type Db, type Sql, statement } from "../client.ts";
import type { SignInOutcome } from "../generated/client.ts";

export type SignInEventRow = {
  id: string;
  at: Date;
  outcome: SignInOutcome;
  userAgent: string;
  ipAddress: string;
};

const insert = statement<never>(
  "insert_sign_in_event",
  `INSERT INTO sign_in_event (id, account_id, at, outcome, user_agent, ip_address)
   VALUES ($1, $2, $3::timestamptz, $4::sign_in_outcome, $5, $6)`,
);

/** @param event `accountId` null: an attempt on an unknown account */
export const insertSignInEvent = async (
  sql: Sql,
  event: SignInEventRow & { accountId: string | null },
): Promise<void> => {
  const { id, accountId, at, outcome, userAgent, ipAddress } = event;
  await sql.query(insert, [id, accountId, at, outcome, userAgent, ipAddress]);
};

/** Newest first. Returns `limit` + 1 events if there are older events. */
export const findSignInEvents = (
  db: Db,
  { accountId, startingAfter, limit }: { accountId: string; startingAfter: string | null; limit: number },
): Promise<SignInEventRow[]> =>
  db.prisma.signInEvent.findMany({
    where: { accountId },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    ...(startingAfter === null ? {} : { cursor: { id: startingAfter }, skip: 1 }),
    take: limit + 1,
    select: { id: true, at: true, outcome: true, userAgent: true, ipAddress: true },
  });
