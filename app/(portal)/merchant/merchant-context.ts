import { redirect } from "next/navigation";
import { authorize, type MerchantAction } from "#server/accounts/authorize.ts";
import { currentMembership, portalPage } from "../portal-context.ts";

/** The API and data for every page of the dashboard. An account without a merchant is redirected to the form for a new one. */
export const merchantPage = async (path: string) => {
  const page = await portalPage(path);
  const { merchantId, role, name, standing } = ((await currentMembership()) ?? redirect("/merchant/new")).current;
  return {
    ...page,
    merchantId,
    role,
    merchantName: name,
    standing,
    /** Whether to show an action. The procedure checks again, and asks for a recent proof where it needs one. */
    may: (action: MerchantAction): boolean => {
      const decision = authorize(page.actor, action, { kind: "merchant", role });
      return decision === "allow" || decision === "prove_again";
    },
  };
};
