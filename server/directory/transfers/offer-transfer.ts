import type { Actor } from "../../data/audit/audit.ts";
import { findParticipantOfMerchant } from "../../data/directory/participant-changes.ts";
import {
  countTransfersSince,
  hasOpenTransfer,
  insertTransfer,
} from "../../data/directory/transfers/participant-transfers.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { merchantWithoutEntry } from "../merchant-entries/find-merchant-entry.ts";
import { lockOwnParticipant } from "../participants/lock-own-participant.ts";
import { maxOffersPerDay, offersSince, transferExpiry } from "../rules/transfers.ts";
import { expireOne } from "./expire-transfers.ts";
import { requireRecipient } from "./find-recipient.ts";
import { reportTransfer } from "./report-transfer.ts";

type Input = { merchantId: string; toMerchantId: string; actor: Actor; requestId: string };

/**
 * Offers a merchant's entry to another merchant. At most one offer of an entry is open.
 * @throws DomainError invalid, naming /toMerchantId; participant_not_found, transfer_offered, too_many_transfers, and
 *   those of `lockOwnParticipant`.
 */
export const offerTransfer = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, toMerchantId, actor, requestId }: Input,
): Promise<{ transferId: string }> =>
  deps.db.sqlTransaction(async (sql) => {
    const participantId = await findParticipantOfMerchant(sql, merchantId);
    if (participantId === null) throw merchantWithoutEntry();
    const at = deps.clock.now();
    // An expired offer is ended before the entry is locked, to avoid a deadlock: an acceptance also locks the offer
    // before the entry.
    await expireOne(deps, sql, { participantId, at, requestId });
    await lockOwnParticipant(sql, { participantId, member: { accountId: actor.id, merchantId } });
    await requireRecipient(sql, { merchantId, toMerchantId });
    if ((await countTransfersSince(sql, merchantId, offersSince(at))) >= maxOffersPerDay) throw tooManyOffers();
    // Checked first, because the insertion could deadlock: it would wait for a concurrent acceptance of the open offer,
    // which waits for this transaction's lock of the entry.
    if (await hasOpenTransfer(sql, participantId, at)) throw alreadyOffered();
    const [id, expiresAt] = [newId("ptt"), transferExpiry(at)];
    const transfer = { id, participantId, fromMerchantId: merchantId, toMerchantId, offeredAt: at, expiresAt };
    if (!(await insertTransfer(sql, { ...transfer, offeredBy: actor.id }))) throw alreadyOffered();
    await reportTransfer(deps, sql, { transfer, step: "offered", actor, at, requestId });
    return { transferId: id };
  });

const alreadyOffered = () =>
  new DomainError("conflict", {
    code: "transfer_offered",
    message: "The entry is already offered to a merchant. Cancel this offer first.",
  });

const tooManyOffers = () =>
  new DomainError("rate_limited", {
    code: "too_many_transfers",
    message: `A merchant can offer its entry ${maxOffersPerDay} times in 24 hours. Try again tomorrow.`,
  });
