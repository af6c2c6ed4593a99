import { listSignIns, type SignInView } from "../../accounts/history/list-sign-ins.ts";
import { listMemberships } from "../../accounts/memberships.ts";
import { listPaymentMethods } from "../../accounts/payment-methods/list-payment-methods.ts";
import type { PastAct } from "../../audit/past-acts.ts";
import { searchAudit } from "../../audit/search-audit.ts";
import { type ChargesFound, searchCharges } from "../../charges/lists/search-charges.ts";
import { findPayerFacts, type PayerFacts } from "../../data/operators/payer-search.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { searchMandates } from "../../mandates/search-mandates.ts";
import { type ConnectedClientView, listConnectedClients } from "../../oauth/connected/list-connected-clients.ts";

export type PayerForOperator = {
  payer: PayerFacts;
  /** with the processors' labels; an operator doesn't see the names that the payer chose */
  paymentMethods: { id: string; type: string; label: string; isDefault: boolean }[];
  merchants: { merchantId: string; name: string; role: string }[];
  mandates: Awaited<ReturnType<typeof searchMandates>>;
  charges: ChargesFound;
  apps: ConnectedClientView[];
  hasMoreApps: boolean;
  signIns: Omit<SignInView, "ipAddress">[];
  /** the person's actions and the changes of the account, newest first, from the audit log */
  history: PastAct[];
};

/**
 * The number of rows per list. The list of connected apps has further pages. The other lists are shown in full on other
 * pages of the console.
 */
const maxItems = 10;
const maxEntries = 50;

export const payerNotFound = () =>
  new DomainError("not_found", { code: "account_not_found", message: "Account not found. Check the ID." });

/**
 * An account as operators see it, without secrets and IP addresses. @param input.appsAfter id of a client: the page of
 * connected apps starts after it. @throws DomainError not_found.
 */
export const getPayer = async (
  deps: Pick<Deps, "db" | "clock" | "businessClock" | "places">,
  { accountId, appsAfter }: { accountId: string; appsAfter?: string | undefined },
): Promise<PayerForOperator> => {
  const payer = await findPayerFacts(deps.db.sql, accountId, deps.clock.now());
  if (!payer) throw payerNotFound();
  const [methods, merchants, mandates, charges, apps, { signIns }, history] = await Promise.all([
    listPaymentMethods(deps, { payerId: accountId }),
    listMemberships(deps, { accountId }),
    searchMandates(deps, { search: accountId, limit: maxItems }),
    searchCharges(deps, { search: accountId, limit: maxItems }),
    listConnectedClients(deps, { payerId: accountId, startingAfter: appsAfter, limit: maxItems }),
    listSignIns(deps, { accountId, startingAfter: null, limit: maxItems }),
    listHistory(deps, payer),
  ]);
  return {
    payer,
    paymentMethods: methods.map(({ id, type, label, isDefault }) => ({ id, type, label, isDefault })),
    merchants: merchants.map(({ merchantId, name, role }) => ({ merchantId, name, role })),
    mandates,
    charges,
    apps: apps.clients,
    hasMoreApps: apps.hasMore,
    signIns: signIns.map(({ ipAddress: _, ...signIn }) => signIn),
    history,
  };
};

const listHistory = async (
  deps: Pick<Deps, "db" | "clock" | "businessClock">,
  { id, createdAt: from }: PayerFacts,
): Promise<PastAct[]> => {
  const pages = await Promise.all([
    searchAudit(deps, { subjectId: id, from, limit: maxEntries }),
    searchAudit(deps, { actorId: id, from, limit: maxEntries }),
  ]);
  // An entry about the person's own account is in both results.
  const entries = new Map(pages.flatMap((page) => page.entries).map((entry) => [entry.seq, entry]));
  return [...entries.values()]
    .toSorted((left, right) => right.at.getTime() - left.at.getTime() || right.seq - left.seq)
    .slice(0, maxEntries)
    .map(({ at, actorKind, actorId, action, data }) => ({ at, actorKind, actorId, action, data }));
};
