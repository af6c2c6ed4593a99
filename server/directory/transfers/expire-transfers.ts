import type { Sql } from "../../data/client.ts";
import { expireTransfer } from "../../data/directory/transfers/participant-transfers.ts";
import type { Deps } from "../../deps/deps.ts";
import { reportTransfer } from "./report-transfer.ts";

type ExpiryDeps = Pick<Deps, "db" | "clock" | "config">;

/**
 * Ends one offer that has expired, in the caller's transaction.
 * @param participantId the entry whose offer is ended; null: any entry
 * @returns whether an offer was ended.
 */
export const expireOne = async (
  deps: Pick<Deps, "clock" | "config">,
  sql: Sql,
  { participantId, at, requestId }: { participantId: string | null; at: Date; requestId: string },
): Promise<boolean> => {
  const transfer = await expireTransfer(sql, { participantId, at });
  if (transfer === null) return false;
  const actor = { kind: "system", id: "entry-transfers" } as const;
  await reportTransfer(deps, sql, { transfer, step: "expired", actor, at, requestId });
  return true;
};

/**
 * Ends offers that have expired, each in its own transaction. Several workers can call it. @returns how many it ended.
 */
export const expireTransfers = async (
  deps: ExpiryDeps,
  { limit, requestId }: { limit: number; requestId: string },
): Promise<number> => {
  const expireNext = () =>
    deps.db.sqlTransaction((sql) => expireOne(deps, sql, { participantId: null, at: deps.clock.now(), requestId }));
  let ended = 0;
  while (ended < limit && (await expireNext())) ended += 1;
  return ended;
};
