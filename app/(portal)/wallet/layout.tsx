import type { Metadata } from "next";
import type { ReactNode } from "react";
import { PortalLayout } from "../portal-layout.tsx";

const links = [
  { href: "/wallet", label: "Home" },
  { href: "/wallet/mandates", label: "Mandates" },
  { href: "/wallet/activity", label: "Activity" },
  { href: "/wallet/approvals", label: "Approvals" },
  { href: "/wallet/payment-methods", label: "Payment methods" },
  { href: "/wallet/security", label: "Security" },
];

export const metadata: Metadata = { title: { default: "Wallet", template: "%s · Wallet · Paygrant" } };

const WalletLayout = ({ children }: { children: ReactNode }) => (
  <PortalLayout portal="Wallet" links={links}>
    {children}
  </PortalLayout>
);

export default WalletLayout;
