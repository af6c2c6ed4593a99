import { redirect } from "next/navigation";
import type { MerchantAction } from "#server/accounts/authorize.ts";
import { currentMembership, mayPerform, portalPage } from "../portal-context.ts";

/**
 * The API and data for every page of the dashboard. An account without a merchant is redirected to the form that
 * registers a merchant.
 */
export const merchantPage = async (path: string) => {
  const page = await portalPage(path);
  const { merchantId, role, name, standing } = ((await currentMembership()) ?? redirect("/merchant/new")).current;
  return {
    ...page,
    merchantId,
    role,
    merchantName: name,
    standing,
    may: (action: MerchantAction): boolean => mayPerform(page.actor, action, { kind: "merchant", role }),
  };
};
