import type { Actor } from "../../data/audit/audit.ts";
import { takeMandateMailBatch } from "../../data/mandates/mandate-mail-batches.ts";
import type { Deps } from "../../deps/deps.ts";
import { type MandateChange, mailPayersOfChange } from "./mail-mandate-change.ts";

/**
 * Queues the e-mails of one batch of changed mandates in the transaction that deletes the batch. So each e-mail is
 * queued once, even after a crash and with any number of workers. Payers who have switched these e-mails off or deleted
 * their account in the meantime get none.
 * @returns whether there was a batch.
 */
export const mailMandateBatch = (deps: Pick<Deps, "db" | "config" | "clock">): Promise<boolean> =>
  deps.db.sqlTransaction(async (sql) => {
    const batch = await takeMandateMailBatch(sql);
    if (!batch) return false;
    const { mandateIds, at, requestId } = batch;
    const [change, kind] = [batch.change as MandateChange["change"], batch.actorKind as Actor["kind"]];
    await mailPayersOfChange(deps, sql, { mandateIds, change, by: { kind }, at, requestId });
    return true;
  });
