import type { ReactNode } from "react";
import type { PortalLink } from "#components/portal/portal-nav.tsx";
import { PortalShell } from "#components/portal/portal-shell.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentPageLocale, currentProofMethods, currentSession, currentTheme, pageDeps } from "../page-context.ts";
import { currentMembership } from "./portal-context.ts";

const portals = {
  Wallet: { href: "/wallet", label: "Wallet" },
  Merchant: { href: "/merchant", label: "Merchant dashboard" },
  Operator: { href: "/operator", label: "Operator console" },
} as const;

export type PortalName = keyof typeof portals;

/** The frame of the wallet, the merchant dashboard and the operator console. */
export const PortalLayout = async ({
  portal,
  links,
  children,
}: {
  portal: PortalName;
  /** The first link is the portal's home page. */
  links: readonly PortalLink[];
  children: ReactNode;
}) => {
  const [{ config }, session, membership, proofMethods, theme, locale] = await Promise.all([
    pageDeps(),
    currentSession(),
    currentMembership(),
    currentProofMethods(),
    currentTheme(),
    currentPageLocale(),
  ]);
  const open: Readonly<Record<PortalName, boolean>> = {
    Wallet: session !== null,
    Merchant: membership !== null,
    Operator: typeof session?.account.operatorRole === "string",
  };
  const names = Object.keys(portals) as PortalName[];
  return (
    <PortalShell
      label={portal}
      links={links}
      otherPortals={[
        ...names.filter((name) => name !== portal && open[name]).map((name) => portals[name]),
        ...(portal === "Wallet" && !open.Merchant
          ? [{ href: "/merchant/new", label: translator(locale, "frame")("startSelling") }]
          : []),
      ]}
      account={session?.account ?? null}
      merchantId={portal === "Merchant" ? (membership?.current.merchantId ?? null) : null}
      proofMethods={proofMethods}
      environment={config.environment}
      theme={theme}
      locale={locale}
    >
      {children}
    </PortalShell>
  );
};
