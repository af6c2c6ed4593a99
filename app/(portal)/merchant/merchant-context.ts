import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Reader } from "#components/format/reader.ts";
import { authorize, type MerchantAction } from "#server/accounts/authorize.ts";
import { listMemberships } from "#server/accounts/memberships.ts";
import { contextOf } from "#server/trpc/context.ts";
import { createCaller } from "#server/trpc/root.ts";
import { currentSession, pageDeps, requireSession } from "../../page-context.ts";

/** The merchants of who is signed in, and the one that the pages speak of; null for a visitor and for a member of none. */
export const currentMembership = cache(async () => {
  const session = await currentSession();
  if (!session) return null;
  const all = await listMemberships(await pageDeps(), { accountId: session.account.id });
  const chosen = (await cookies()).get("merchant")?.value;
  const current = all.find(({ merchantId }) => merchantId === chosen) ?? all[0];
  return current ? { all, current } : null;
});

/** What every page of the dashboard works with. Who is a member of no merchant has a wallet, and nothing here. */
export const merchantPage = async (path: string) => {
  const deps = await pageDeps();
  const session = await requireSession(path);
  const membership = (await currentMembership()) ?? redirect("/wallet");
  const { merchantId, role } = membership.current;
  const { email, locale, timeZone } = session.account;
  const reader: Reader = { locale, timeZone };
  const context = contextOf(deps, await headers(), session);
  return {
    api: createCaller(context),
    merchantId,
    reader,
    email,
    config: deps.config,
    /** real time, of deliveries and secrets */
    now: deps.clock.now(),
    /** of payments and refunds */
    businessNow: await deps.businessClock.now(),
    /** whether to offer an act; the procedure decides again. A proof that is too old is asked for when it comes to it. */
    may: (action: MerchantAction): boolean => {
      const decision = authorize(context.actor, action, { kind: "merchant", role });
      return decision === "allow" || decision === "prove_again";
    },
  };
};
