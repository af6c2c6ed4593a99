import type { Metadata } from "next";
import { cache } from "react";
import { formatAmount } from "#components/format/money.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { LiveRefresh } from "#components/portal/live-refresh.tsx";
import { Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { WalletChargeFacts } from "#components/wallet/charges/charge-facts.tsx";
import { ChargeHead } from "#components/wallet/charges/charge-head.tsx";
import { WalletChargeTimeline } from "#components/wallet/charges/charge-timeline.tsx";
import { RefundTable } from "#components/wallet/charges/refund-table.tsx";
import { ReceiptLinks } from "#components/wallet/receipt-links.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { orNotFound, portalPage } from "../../../portal-context.ts";

type Props = { params: Promise<{ id: string }> };

/** Cached per request, because the title and the page both need the data. */
const loadCharge = cache(async (id: string) => {
  const page = await portalPage(`/wallet/activity/${encodeURIComponent(id)}`);
  const fingerprint = await page.api.wallet.activityFingerprint();
  return { ...page, fingerprint, charge: await orNotFound(page.api.wallet.charge({ chargeId: id })) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { charge, reader } = await loadCharge((await params).id);
  const amount = formatAmount(charge.amountMinor, charge.currency, reader);
  const t = translator(reader.locale, "activity");
  return { title: pageTitle(t("charge.pageTitle", { amount, merchant: charge.merchant.name })) };
};

/** States that are expected to change soon, without an action on this page. */
const openStates: ReadonlySet<string> = new Set(["reserved", "requires_action", "submitted", "processing", "unknown"]);

const ChargePage = async ({ params }: Props) => {
  const { charge, fingerprint, reader, businessNow: now } = await loadCharge((await params).id);
  const t = translator(reader.locale, "activity");
  return (
    <>
      {openStates.has(charge.state) ? <LiveRefresh fingerprint={fingerprint} /> : null}
      <ChargeHead charge={charge} reader={reader} />
      <Section title={t("charge.facts")}>
        <WalletChargeFacts charge={charge} reader={reader} />
      </Section>
      {charge.refunds.length > 0 ? (
        <Section title={t("charge.refunds")}>
          <RefundTable charge={charge} now={now} reader={reader} />
        </Section>
      ) : null}
      <Section title={t("charge.timeline")}>
        <WalletChargeTimeline charge={charge} now={now} reader={reader} />
      </Section>
      <ReceiptLinks
        title={t("charge.receipt")}
        text={t("charge.receiptText")}
        href={`/wallet/activity/${charge.id}/receipt`}
      />
      <div>
        <ButtonLink href="/wallet/activity" size="small">
          {t("charge.back")}
        </ButtonLink>
      </div>
    </>
  );
};

export default ChargePage;
