import type { ReactNode } from "react";
import { MerchantBanner } from "#components/merchant/merchant-banner.tsx";
import { PortalShell } from "#components/portal/portal-shell.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { currentHasPasskey, currentSession, currentTheme, pageDeps } from "../../page-context.ts";
import { currentMembership } from "./merchant-context.ts";

const links = [
  { href: "/merchant", label: "Overview" },
  { href: "/merchant/payments", label: "Payments" },
  { href: "/merchant/webhooks", label: "Webhooks" },
  { href: "/merchant/apps", label: "Apps & keys" },
];

const MerchantLayout = async ({ children }: { children: ReactNode }) => {
  const { config } = await pageDeps();
  const session = await currentSession();
  const membership = await currentMembership();
  const other = config.environment === "sandbox" ? config.productionUrl : config.sandboxUrl;
  return (
    <PortalShell
      label="Merchant"
      links={links}
      elsewhere={membership ? [{ href: "/wallet", label: "Wallet" }] : []}
      email={session?.account.email ?? null}
      hasPasskey={await currentHasPasskey()}
      environment={config.environment}
      theme={await currentTheme()}
    >
      {membership ? (
        <MerchantBanner
          current={membership.current}
          merchants={membership.all}
          environment={config.environment}
          isSimulated={config.simulatorUrl !== null && config.stripe === null}
          otherUrl={other && `${other}/merchant`}
        />
      ) : null}
      {membership?.current.isSuspended ? (
        <Notice tone="warn">
          <b>{membership.current.name} is suspended.</b> New charges are refused. What was charged before can still be
          captured, voided and refunded; its owners and admins are told by mail when the suspension is lifted.
        </Notice>
      ) : null}
      {children}
    </PortalShell>
  );
};

export default MerchantLayout;
