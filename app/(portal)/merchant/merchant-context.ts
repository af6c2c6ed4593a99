import { redirect } from "next/navigation";
import type { MerchantAction } from "#server/accounts/authorize.ts";
import { currentMembership, mayPerform, portalPage } from "../portal-context.ts";

/**
 * The API and data for every page of the dashboard. Objects of the member's other merchants are "not found", so that no
 * page shows them below the name of the selected merchant. An account without a merchant is redirected to the form that
 * registers a merchant.
 */
export const merchantPage = async (path: string) => {
  const page = await portalPage(path);
  const { merchantId, role, name, standing } = ((await currentMembership()) ?? redirect("/merchant/new")).current;
  return {
    ...page,
    api: page.apiOfMerchant(merchantId),
    merchantId,
    role,
    merchantName: name,
    standing,
    may: (action: MerchantAction): boolean => mayPerform(page.actor, action, { kind: "merchant", role }),
  };
};
