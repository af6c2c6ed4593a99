import { setTimeout as sleep } from "node:timers/promises";
import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import {
  type AccountRequestRow,
  deleteAccountRequest,
  findAccountOfMerchant,
  insertAccountRequest,
  updateProcessorAccount,
} from "../../data/merchants/processor-accounts.ts";
import type { Deps } from "../../deps/deps.ts";
import type { MerchantAccounts } from "../../deps/processor-accounts.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds, isExpired } from "../../kernel/time/clock.ts";
import { getLockedMerchant } from "../get-locked-merchant.ts";
import { accountsOf, accountUnavailable, refuseUnconnectable } from "./connectable.ts";

type Input = { merchantId: string; actor: Actor; requestId: string };

/** Stripe forgets an idempotency key after 24 hours at the earliest (docs.stripe.com/api/idempotent_requests). */
const keySeconds = 23 * 3600;

/**
 * Returns the merchant's account at its processor, and creates the account if there is none. The request is recorded
 * with its key before it is sent. So concurrent requests, and requests after a crash, create one account.
 * @throws DomainError not_found, merchant_pending, merchant_declined, processor_not_connectable, account_refused,
 *   processor_not_configured, processor_unavailable.
 */
export const createProcessorAccount = async (deps: Deps, input: Input): Promise<string> => {
  const begun = await begin(deps, input);
  if ("account" in begun) return begun.account;
  const { accounts, request } = begun;
  const isStale = isExpired({ expiresAt: addSeconds(request.requestedAt, keySeconds) }, deps.clock.now());
  const account = isStale
    ? await searchThenCreate(deps, { ...begun, input })
    : await requestAccount(deps, { accounts, request, merchantId: input.merchantId });
  return record(deps, input, { account, key: request.key });
};

type Begun = { account: string } | { accounts: MerchantAccounts; request: AccountRequestRow };

const begin = (deps: Deps, { merchantId }: Input): Promise<Begun> =>
  deps.db.sqlTransaction(async (sql) => {
    const merchant = await getLockedMerchant(sql, merchantId);
    refuseUnconnectable(merchant);
    if (merchant.processorAccount !== "") return { account: merchant.processorAccount };
    const { displayName, country, websiteUri, mcc, statementDescriptor } = merchant;
    const details = { merchantId, displayName, country, websiteUri, mcc, statementDescriptor };
    const request = await insertAccountRequest(sql, { key: newId("pac"), details, at: deps.clock.now() });
    return { accounts: accountsOf(deps, merchant.processor), request };
  });

/** The processor may have forgotten the key, so the account is searched for first. */
const searchThenCreate = async (
  deps: Deps,
  { accounts, request, input }: { accounts: MerchantAccounts; request: AccountRequestRow; input: Input },
): Promise<string> => {
  const { merchantId } = input;
  const found = await accounts.search({ merchantId, since: request.requestedAt });
  if (found.kind === "unknown") throw accountUnavailable();
  if (found.kind === "found") return found.account;
  await deleteAccountRequest(deps.db.sql, merchantId, request.key);
  return createProcessorAccount(deps, input);
};

const requestAccount = async (
  deps: Deps,
  { accounts, request, merchantId }: { accounts: MerchantAccounts; request: AccountRequestRow; merchantId: string },
): Promise<string> => {
  const { key, details, requestedAt } = request;
  const answer = await createWhenFree(accounts, { key, details });
  if (answer.kind === "created") return answer.account;
  if (answer.kind === "failed") {
    // The same key would get the same error. Only a search shows whether the account exists.
    const found = await accounts.search({ merchantId, since: requestedAt });
    if (found.kind === "found") return found.account;
    if (found.kind === "not_found") await deleteAccountRequest(deps.db.sql, merchantId, key);
  }
  if (answer.kind === "refused") {
    await deleteAccountRequest(deps.db.sql, merchantId, key);
    deps.log.warn({ merchantId, code: answer.code, detail: answer.detail }, "the processor refused an account");
    throw accountRefusal(answer.code);
  }
  throw accountUnavailable();
};

const busyPauseMs = 300;
const busyTries = 15;

/** Another request with the same key ends within a moment. Then both get the same answer. */
const createWhenFree = async (accounts: MerchantAccounts, request: Pick<AccountRequestRow, "key" | "details">) => {
  for (let attempt = 1; attempt < busyTries; attempt += 1) {
    const answer = await accounts.create(request);
    if (answer.kind !== "busy") return answer;
    await sleep(busyPauseMs);
  }
  return accounts.create(request);
};

/** Records the account. Only one of several concurrent requests records it. */
const record = (
  deps: Deps,
  { merchantId, actor, requestId }: Input,
  { account, key }: { account: string; key: string },
): Promise<string> =>
  deps.db.sqlTransaction(async (sql) => {
    const { processor } = await getLockedMerchant(sql, merchantId);
    if (await updateProcessorAccount(sql, { merchantId, processor, account })) {
      await appendAudit(sql, {
        at: deps.clock.now(),
        actor,
        requestId,
        subjectId: merchantId,
        action: "merchant.processor_account_created",
        data: { processor, account },
      });
    }
    await deleteAccountRequest(sql, merchantId, key);
    return (await findAccountOfMerchant(sql, merchantId))?.account ?? account;
  });

const accountRefusal = (code: string): DomainError =>
  new DomainError("unprocessable", {
    code: "account_refused",
    message: `Stripe didn’t accept the business details (${code}). Check country, website and category under Business details, then try again.`,
  });
