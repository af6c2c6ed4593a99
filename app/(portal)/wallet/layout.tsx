import type { Metadata } from "next";
import type { ReactNode } from "react";
import { DeletionNotice } from "#components/wallet/account/deletion-notice.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { findDeletionDate } from "#server/privacy/find-deletion-date.ts";
import { currentLocale, currentSession, pageDeps } from "../../page-context.ts";
import { PortalLayout } from "../portal-layout.tsx";

export const metadata: Metadata = { title: { default: "Wallet", template: "%s · Wallet · Paygrant" } };

const WalletLayout = async ({ children }: { children: ReactNode }) => {
  const t = translator(await currentLocale(), "wallet");
  const group = t("nav.account");
  const links = [
    { href: "/wallet", label: t("nav.home") },
    { href: "/wallet/mandates", label: t("nav.mandates") },
    { href: "/wallet/upcoming", label: t("nav.upcoming") },
    { href: "/wallet/activity", label: t("nav.activity") },
    { href: "/wallet/approvals", label: t("nav.approvals") },
    { href: "/wallet/payment-methods", label: t("nav.paymentMethods") },
    { href: "/wallet/connected-apps", label: t("nav.connectedApps") },
    { href: "/wallet/security", label: t("nav.security"), group },
    { href: "/wallet/profile", label: t("nav.profile"), group },
    { href: "/wallet/notifications", label: t("nav.notifications"), group },
    { href: "/wallet/privacy", label: t("nav.privacy"), group },
  ];
  const deletion = await findDeletionNotice();
  return (
    <PortalLayout portal="Wallet" links={links}>
      {deletion}
      {children}
    </PortalLayout>
  );
};

const findDeletionNotice = async () => {
  const session = await currentSession();
  if (!session) return null;
  const { id: accountId, locale, timeZone } = session.account;
  const deletedOn = await findDeletionDate(await pageDeps(), { accountId });
  return deletedOn && <DeletionNotice deletedOn={deletedOn} reader={{ locale, timeZone }} />;
};

export default WalletLayout;
