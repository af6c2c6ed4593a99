import { takeMailBatch } from "../../data/mail/mail-batches.ts";
import type { Deps } from "../../deps/deps.ts";
import { queueRenderedMail } from "./queue-rendered-mail.ts";

/**
 * Queues the mails of one batch in the transaction that deletes the batch. So each mail is queued once, even after a
 * crash and with any number of workers.
 * @returns whether there was a batch.
 */
export const queueMailBatch = (deps: Pick<Deps, "db" | "clock">): Promise<boolean> =>
  deps.db.sqlTransaction(async (sql) => {
    const batch = await takeMailBatch(sql);
    if (!batch) return false;
    const { id: _, ...mail } = batch;
    const always = { obsoleteAfter: null, unsubscribeUrl: null, formerRecipientId: null };
    await queueRenderedMail(deps, sql, { ...mail, ...always });
    return true;
  });
