import type { Actor } from "../../data/audit/audit.ts";
import { endTransfer } from "../../data/directory/transfers/participant-transfers.ts";
import type { Deps } from "../../deps/deps.ts";
import { reportTransfer } from "./report-transfer.ts";
import { transferNotOpen } from "./transfer-not-open.ts";

type Input = { merchantId: string; transferId: string; actor: Actor; requestId: string };

/** The merchant that was offered an entry refuses it. @throws DomainError transfer_not_open. */
export const declineTransfer = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, transferId, actor, requestId }: Input,
): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const at = deps.clock.now();
    const side = { toMerchantId: merchantId };
    const transfer = await endTransfer(sql, { id: transferId, side, outcome: "declined", endedBy: actor.id, at });
    if (transfer === null) throw transferNotOpen();
    await reportTransfer(deps, sql, { transfer, step: "declined", actor, at, requestId });
  });
