import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { updateMemberRole } from "../../data/merchants/members.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { merchantPageUrl } from "../../kernel/requests/merchant-page-url.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { getLockedMerchant } from "../get-locked-merchant.ts";
import { teamChangeRefusal } from "../rules/team-changes.ts";
import { getMember } from "./get-member.ts";

type Input = {
  merchantId: string;
  /** the new owner, a member */
  accountId: string;
  /** an owner, who becomes an admin */
  actor: Actor;
  requestId: string;
};

/**
 * Makes another member the owner in place of the actor. Both get an e-mail.
 * @throws DomainError not_found, owners_only, same_owner.
 */
export const transferOwnership = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, accountId, actor, requestId }: Input,
): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const merchant = await getLockedMerchant(sql, merchantId);
    const next = await getMember(sql, { merchantId, accountId });
    const old = await getMember(sql, { merchantId, accountId: actor.id });
    const refusal = teamChangeRefusal({ isOwner: old.role === "owner", concernsOwner: true });
    if (refusal) throw refusal;
    if (next.accountId === old.accountId) {
      throw new DomainError("conflict", { code: "same_owner", message: "You are the owner. Choose another member." });
    }
    // Adds the new owner first, because the last owner can't be changed.
    if (next.role !== "owner") await updateMemberRole(sql, { merchantId, accountId, from: next.role, to: "owner" });
    await updateMemberRole(sql, { merchantId, accountId: actor.id, from: "owner", to: "admin" });
    const at = deps.clock.now();
    const teamUrl = merchantPageUrl(deps.config.walletUrl, merchantId, "/team");
    const names = { merchantName: merchant.displayName, oldOwnerName: old.name, newOwnerName: next.name };
    for (const [{ email, timeZone }, other] of [
      [old, next],
      [next, old],
    ] as const) {
      const content = { kind: "ownership_transferred", ...names, at, timeZone, teamUrl } as const;
      await queueMail(deps, sql, { content, recipient: email, aboutAccountId: other.accountId, requestId });
    }
    await appendAudit(sql, {
      at,
      actor,
      requestId,
      subjectId: merchantId,
      action: "merchant.ownership_transferred",
      data: { from: actor.id, to: accountId },
    });
  });
