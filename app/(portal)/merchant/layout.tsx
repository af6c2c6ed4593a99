import type { Metadata } from "next";
import type { ReactNode } from "react";
import { MerchantBanner } from "#components/merchant/merchant-banner.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { pageDeps } from "../../page-context.ts";
import { currentMembership } from "../portal-context.ts";
import { PortalLayout } from "../portal-layout.tsx";

const links = [
  { href: "/merchant", label: "Overview" },
  { href: "/merchant/payments", label: "Payments" },
  { href: "/merchant/webhooks", label: "Webhooks" },
  { href: "/merchant/apps", label: "Apps & keys" },
  { href: "/merchant/logs", label: "API logs" },
];

export const metadata: Metadata = { title: { default: "Merchant", template: "%s · Merchant · Paygrant" } };

const MerchantLayout = async ({ children }: { children: ReactNode }) => {
  const [{ config }, membership] = await Promise.all([pageDeps(), currentMembership()]);
  const otherUrl = config.environment === "sandbox" ? config.productionUrl : config.sandboxUrl;
  return (
    <PortalLayout portal="Merchant" links={links}>
      {membership ? (
        <MerchantBanner
          current={membership.current}
          merchants={membership.all}
          environment={config.environment}
          isSimulated={config.simulatorUrl !== null && config.stripe === null}
          otherUrl={otherUrl && `${otherUrl}/merchant`}
        />
      ) : null}
      {membership?.current.isSuspended ? (
        <Notice tone="warn">
          <b>{membership.current.name} is suspended.</b> New charges are refused. You can still capture, void and refund
          earlier charges. We e-mail the owners and admins when the suspension is lifted.
        </Notice>
      ) : null}
      {children}
    </PortalLayout>
  );
};

export default MerchantLayout;
