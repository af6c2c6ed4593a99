import { findParticipantOfMerchant, updateWithdrawal } from "../../data/directory/participant-changes.ts";
import type { Deps } from "../../deps/deps.ts";
import { appendOwnAudit, lockOwnParticipant } from "../participants/lock-own-participant.ts";
import { recordVersion } from "../participants/record-version.ts";
import { merchantWithoutEntry } from "./find-merchant-entry.ts";

type Input = { merchantId: string; accountId: string; isListed: boolean; requestId: string };

/**
 * On behalf of a member of a merchant, withdraws the merchant's entry from the directory or lists it again. If the
 * entry is already in this state, nothing changes.
 * @throws DomainError participant_not_found, participant_suspended.
 */
export const setListing = (
  { db, clock, config: { environment } }: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, accountId, isListed, requestId }: Input,
): Promise<void> =>
  db.sqlTransaction(async (sql) => {
    const id = await findParticipantOfMerchant(sql, merchantId);
    if (id === null) throw merchantWithoutEntry();
    const own = { participantId: id, member: { accountId, merchantId } };
    const { status } = await lockOwnParticipant(sql, own, { even: ["withdrawn"] });
    if ((status !== "withdrawn") === isListed) return;
    const at = clock.now();
    await updateWithdrawal(sql, id, isListed ? null : at);
    const change = isListed ? "listed_again" : "withdrawn";
    await recordVersion(sql, { id, change, changedBy: "merchant", at, environment });
    await appendOwnAudit(sql, own, { at, requestId, action: `participant.${change}` });
  });
