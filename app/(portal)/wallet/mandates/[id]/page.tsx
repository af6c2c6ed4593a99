import type { Metadata } from "next";
import { cache } from "react";
import { isLiveMandate, mandateTitle } from "#components/format/labels/mandate-labels.ts";
import { Messages } from "#components/format/messages.tsx";
import { pageTitle } from "#components/layout/page-title.ts";
import { Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ChargeTable } from "#components/wallet/activity-table.tsx";
import { ChangePaymentMethod } from "#components/wallet/mandates/change-payment-method.tsx";
import { MandateFacts } from "#components/wallet/mandates/mandate-facts.tsx";
import { MandateHead } from "#components/wallet/mandates/mandate-head.tsx";
import { MandateLimits } from "#components/wallet/mandates/mandate-limits.tsx";
import { MandateTimeline } from "#components/wallet/mandates/mandate-timeline.tsx";
import { ReceiptLinks } from "#components/wallet/receipt-links.tsx";
import { methodLabel } from "#server/kernel/messages/method-label.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { orNotFound, portalPage } from "../../../portal-context.ts";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ from?: string }> };

/** Cached per request, because the title and the page both need the data. */
const loadMandate = cache(async (id: string) => {
  const page = await portalPage(`/wallet/mandates/${encodeURIComponent(id)}`);
  const [mandate, charges, methods] = await orNotFound(
    Promise.all([
      page.api.wallet.mandate({ mandateId: id }),
      page.api.wallet.activity({ mandateId: id, limit: 10 }),
      page.api.wallet.paymentMethods(),
    ]),
  );
  return { ...page, mandate, methods, ...charges };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { mandate, reader } = await loadMandate((await params).id);
  return { title: pageTitle(mandateTitle(mandate, { reader, t: translator(reader.locale, "mandates") })) };
};

const MandatePage = async ({ params, searchParams }: Props) => {
  const [{ id }, { from }] = await Promise.all([params, searchParams]);
  const { reader, businessNow: now, account, mandate, methods, charges, hasMore } = await loadMandate(id);
  const t = translator(reader.locale, "mandates");
  const isLive = isLiveMandate(mandate);
  const all = <Link href={`/wallet/activity?mandate=${encodeURIComponent(id)}`}>{t("page.allCharges")}</Link>;
  return (
    <Messages locale={reader.locale} areas={["mandates"]}>
      {from === "demo" ? (
        <Notice tone="note">
          {t.rich(isLive ? "page.fromDemo" : "page.fromDemoStopped", {
            link: (text) => <Link href="/demo">{text}</Link>,
          })}
        </Notice>
      ) : null}
      <MandateHead mandate={mandate} reader={reader} />
      <Section title={t("page.limits")}>
        <MandateLimits mandate={mandate} now={now} reader={reader} />
      </Section>
      <Section title={t("page.terms")}>
        <MandateFacts
          mandate={mandate}
          payer={account}
          reader={reader}
          changeMethod={isLive ? <ChangeMethod mandate={mandate} methods={methods} account={account} /> : null}
        />
      </Section>
      <Section title={t("page.charges")} act={hasMore ? all : null}>
        {charges.length > 0 ? (
          <ChargeTable
            caption={t("page.chargesCaption")}
            charges={charges}
            now={now}
            reader={reader}
            hasMandate={false}
          />
        ) : (
          <EmptyState title={t("page.noCharges")}>{t("page.noChargesText")}</EmptyState>
        )}
      </Section>
      <Section title={t("page.timeline")}>
        <MandateTimeline mandate={mandate} entries={mandate.timeline} now={now} reader={reader} />
      </Section>
      <ReceiptLinks
        title={t("page.receipt")}
        text={t("page.receiptText")}
        href={`/wallet/mandates/${mandate.id}/receipt`}
      />
      <div>
        <ButtonLink href="/wallet/mandates" size="small">
          {t("page.back")}
        </ButtonLink>
      </div>
    </Messages>
  );
};

type Page = Awaited<ReturnType<typeof loadMandate>>;

const ChangeMethod = ({ mandate, methods, account }: Pick<Page, "mandate" | "methods" | "account">) => (
  <ChangePaymentMethod
    mandateId={mandate.id}
    email={account.email}
    methods={methods
      .filter(({ id }) => id !== mandate.paymentMethod?.id)
      .map(({ id, label, nickname }) => ({ id, label: nickname ?? methodLabel(label, account.locale) }))}
  />
);

export default MandatePage;
