import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { cache } from "react";
import { approvalTitle, isApprovalOpen } from "#components/format/labels/approval-labels.ts";
import { isLiveMandate } from "#components/format/labels/mandate-labels.ts";
import { Messages } from "#components/format/messages.tsx";
import { pageTitle } from "#components/layout/page-title.ts";
import { LiveRefresh } from "#components/portal/live-refresh.tsx";
import { Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import styles from "#components/wallet/approvals/approval-card.module.css";
import { ApprovalCard } from "#components/wallet/approvals/approval-card.tsx";
import { LimitMeter } from "#components/wallet/mandates/limit-meter.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { orNotFound, portalPage } from "../../../portal-context.ts";

type Props = { params: Promise<{ id: string }> };

/** Cached per request, because the title and the page both need the data. */
const findApproval = cache(async (id: string) => {
  const page = await portalPage(`/wallet/approvals/${encodeURIComponent(id)}`);
  const fingerprint = await page.api.wallet.activityFingerprint();
  return { ...page, fingerprint, approval: await orNotFound(page.api.wallet.approval({ chargeId: id })) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { approval, reader } = await findApproval((await params).id);
  return { title: pageTitle(approvalTitle(approval, reader, translator(reader.locale, "approvals"))) };
};

const ApprovalPage = async ({ params }: Props) => {
  const { api, approval, fingerprint, email, businessNow: now, reader } = await findApproval((await params).id);
  // The payment needed no approval, only an authentication at the bank. This is over, so the payment's page shows the
  // outcome.
  if (approval.approvalState === null && !isApprovalOpen(approval) && !approval.hasExpiredAtBank) {
    redirect(`/wallet/activity/${approval.id}`);
  }
  const mandate = await api.wallet.mandate({ mandateId: approval.mandate.id });
  const t = translator(reader.locale, "approvals");
  const isHeld = approval.approvalState === "waiting";
  return (
    <Messages locale={reader.locale} areas={["approvals"]}>
      <LiveRefresh fingerprint={fingerprint} />
      <ApprovalCard approval={approval} mandate={mandate} email={email} now={now} reader={reader} />
      <Section title={t(isHeld ? "limitsHeld" : "limits")}>
        <div className={`card ${styles.limits}`}>
          {mandate.limits.map((limit) => (
            <LimitMeter
              key={limit.key}
              limit={limit}
              currency={mandate.currency}
              now={now}
              reader={reader}
              isEnded={!isLiveMandate(mandate)}
            />
          ))}
        </div>
      </Section>
      <div>
        <ButtonLink href="/wallet/approvals" size="small">
          {t("back")}
        </ButtonLink>
      </div>
    </Messages>
  );
};

export default ApprovalPage;
