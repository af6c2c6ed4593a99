import { TRPCError } from "@trpc/server";
import { cookies, headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { englishReader } from "#components/format/reader.ts";
import { authorize } from "#server/accounts/authorize.ts";
import { listMemberships } from "#server/accounts/memberships.ts";
import { contextOf } from "#server/trpc/context.ts";
import { createCaller } from "#server/trpc/root.ts";
import { currentAddress, currentSession, pageDeps, requireSession } from "../page-context.ts";
import { isPayerPage } from "../payer-pages.ts";

/** The API, account and settings for every page of the three portals. A visitor is redirected to the sign-in form. */
export const portalPage = async (path: string) => {
  const [deps, session, requestHeaders] = await Promise.all([pageDeps(), requireSession(), headers()]);
  const { email, locale, timeZone } = session.account;
  const own = { locale, timeZone };
  const context = contextOf(deps, { headers: requestHeaders, session });
  return {
    api: createCaller(context),
    /** The same API for one merchant: objects of other merchants are "not found". */
    apiOfMerchant: (merchantId: string) => createCaller({ ...context, onlyMerchantId: merchantId }),
    actor: context.actor,
    account: session.account,
    session,
    /** Only the wallet uses the account's language. Other portals are in English. */
    reader: isPayerPage(path) ? own : englishReader(own),
    email,
    config: deps.config,
    /** The real time, for deliveries, secrets, sessions and incidents. */
    now: deps.clock.now(),
    /** The business time, for mandates, payments, refunds and approvals. The sandbox can move it forward. */
    businessNow: await deps.businessClock.now(),
  };
};

/** Whether to show an action. The procedure checks the permission again, and may require a recent authentication. */
export const mayPerform = (...input: Parameters<typeof authorize>): boolean => {
  const decision = authorize(...input);
  return decision === "allow" || decision === "authenticate_again";
};

/**
 * The signed-in member's merchants and the selected one; null for a visitor and for an account without a merchant. The
 * page's URL may name the merchant, as in e-mails. Otherwise, the cookie decides.
 */
export const currentMembership = cache(async () => {
  const session = await currentSession();
  if (!session) return null;
  const memberships = await listMemberships(await pageDeps(), { accountId: session.account.id });
  const named = new URL(await currentAddress(), "https://own.invalid").searchParams.get("merchant");
  const chosen = (await cookies()).get("merchant")?.value;
  const find = (id: string | null | undefined) => memberships.find(({ merchantId }) => merchantId === id);
  const current = find(named) ?? find(chosen) ?? memberships[0];
  return current ? { all: memberships, current, isNamed: current.merchantId === named } : null;
});

/** Shows the "not found" page for an id that belongs to someone else, doesn't exist or is malformed. */
export const orNotFound = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST")) notFound();
    throw error;
  }
};
