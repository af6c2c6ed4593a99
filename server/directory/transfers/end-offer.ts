import type { Actor } from "../../data/audit/audit.ts";
import { endTransfer } from "../../data/directory/transfers/participant-transfers.ts";
import type { Deps } from "../../deps/deps.ts";
import { reportTransfer } from "./report-transfer.ts";
import { transferNotOpen } from "./transfer-not-open.ts";

type Input = {
  merchantId: string;
  transferId: string;
  /** The merchant that offered its entry cancels the offer. The merchant that was offered it declines. */
  outcome: "cancelled" | "declined";
  actor: Actor;
  requestId: string;
};

/** Ends an open offer without a transfer. @throws DomainError transfer_not_open. */
export const endOffer = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, transferId, outcome, actor, requestId }: Input,
): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const at = deps.clock.now();
    const side = outcome === "cancelled" ? { fromMerchantId: merchantId } : { toMerchantId: merchantId };
    const transfer = await endTransfer(sql, { id: transferId, side, outcome, endedBy: actor.id, at });
    if (transfer === null) throw transferNotOpen();
    await reportTransfer(deps, sql, { transfer, step: outcome, actor, at, requestId });
  });
