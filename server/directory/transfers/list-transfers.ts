import {
  findMadeTransfer,
  listReceivedTransfers,
  type OpenTransfer,
} from "../../data/directory/transfers/participant-transfers.ts";
import type { Deps } from "../../deps/deps.ts";

const maxListed = 20;

type OpenTransfers = {
  /** of the merchant's own entry */
  made: OpenTransfer | null;
  /** to the merchant, oldest first */
  received: OpenTransfer[];
  hasMore: boolean;
};

/** The open offers that a merchant has made or received. */
export const listOpenTransfers = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { merchantId }: { merchantId: string },
): Promise<OpenTransfers> => {
  const query = { merchantId, at: clock.now() };
  const [made, received] = await Promise.all([
    findMadeTransfer(db.sql, query),
    listReceivedTransfers(db.sql, { ...query, limit: maxListed + 1 }),
  ]);
  return { made, received: received.slice(0, maxListed), hasMore: received.length > maxListed };
};
