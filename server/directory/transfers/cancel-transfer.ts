import type { Actor } from "../../data/audit/audit.ts";
import { endTransfer } from "../../data/directory/transfers/participant-transfers.ts";
import type { Deps } from "../../deps/deps.ts";
import { reportTransfer } from "./report-transfer.ts";
import { transferNotOpen } from "./transfer-not-open.ts";

type Input = { merchantId: string; transferId: string; actor: Actor; requestId: string };

/** The merchant that offered its entry ends the offer. @throws DomainError transfer_not_open. */
export const cancelTransfer = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, transferId, actor, requestId }: Input,
): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const at = deps.clock.now();
    const side = { fromMerchantId: merchantId };
    const transfer = await endTransfer(sql, { id: transferId, side, outcome: "cancelled", endedBy: actor.id, at });
    if (transfer === null) throw transferNotOpen();
    await reportTransfer(deps, sql, { transfer, step: "cancelled", actor, at, requestId });
  });
