import { lockAccount } from "../data/accounts/accounts.ts";
import { appendAudit } from "../data/audit/audit.ts";
import type { Sql } from "../data/client.ts";
import { insertMember } from "../data/merchants/members.ts";
import {
  countOwnedMerchants,
  findMerchantByCreationKey,
  insertRegisteredMerchant,
  type MerchantDetails,
  type RegisteredMerchant,
} from "../data/merchants/new-merchants.ts";
import { listOperatorEmails } from "../data/operators/operators.ts";
import type { Deps } from "../deps/deps.ts";
import { enrolParticipant } from "../directory/participants/enrol-participant.ts";
import { sha256Base64url } from "../kernel/crypto/hash.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { queueMailToAll } from "../platform/mail/queue-mail-to-all.ts";
import { newMerchantTerms } from "./rules/new-merchant-terms.ts";

type Input = {
  accountId: string;
  /** created by the form; a repeated request with the same key doesn't create a second merchant */
  key: string;
  details: MerchantDetails;
  requestId: string;
};

const maxOwned = 20;
const maxPending = 3;

/**
 * Registers a merchant with its creator as the owner. In the sandbox and with automatic approval, it is active
 * immediately. Otherwise it waits for an operator's approval, and the operators get an e-mail.
 * @throws DomainError rate_limited: the account owns too many merchants.
 */
export const createMerchant = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { accountId, key, details, requestId }: Input,
): Promise<{ merchantId: string; isNew: boolean }> =>
  deps.db.sqlTransaction(async (sql) => {
    const creationKey = sha256Base64url(`${accountId} ${key}`);
    // Counts and inserts of one account run one after another.
    await lockAccount(sql, accountId);
    const known = await findMerchantByCreationKey(sql, creationKey);
    if (known !== null) return { merchantId: known, isNew: false };
    refuseTooMany(await countOwnedMerchants(sql, accountId));
    const [id, at] = [newId("mch"), deps.clock.now()];
    const merchant = { ...details, ...newMerchantTerms(deps.config, id), id, creationKey, at };
    await insertRegisteredMerchant(sql, merchant);
    await insertMember(sql, { merchantId: id, accountId, role: "owner", at });
    if (merchant.review === "approved") {
      await enrolParticipant(sql, { merchantId: id, participantId: null, name: details.displayName, at });
    } else await notifyOperators(deps, sql, { merchant, requestId });
    await appendAudit(sql, {
      at,
      actor: { kind: "merchant", id: accountId },
      requestId,
      subjectId: id,
      action: "merchant.created",
      data: { review: merchant.review, country: details.country, mcc: details.mcc, processor: merchant.processor },
    });
    return { merchantId: id, isNew: true };
  });

const refuseTooMany = ({ owned, pending }: { owned: number; pending: number }): void => {
  if (pending >= maxPending) {
    throw new DomainError("rate_limited", {
      code: "too_many_pending_merchants",
      message: `${maxPending} of your merchants are waiting for approval. You can add another one after a decision.`,
    });
  }
  if (owned >= maxOwned) {
    throw new DomainError("rate_limited", {
      code: "too_many_merchants",
      message: `You own ${maxOwned} merchants, which is the limit. Transfer the ownership of one first.`,
    });
  }
};

const notifyOperators = async (
  deps: Pick<Deps, "clock" | "config">,
  sql: Sql,
  { merchant, requestId }: { merchant: RegisteredMerchant; requestId: string },
): Promise<void> => {
  const reviewUrl = `${deps.config.walletUrl}/operator/merchants/${merchant.id}`;
  const { displayName: merchantName, legalName, country, websiteUri } = merchant;
  const content = { kind: "merchant_review_needed", merchantName, legalName, country, websiteUri, reviewUrl } as const;
  await queueMailToAll(deps, sql, { recipients: await listOperatorEmails(sql), content, requestId });
};
