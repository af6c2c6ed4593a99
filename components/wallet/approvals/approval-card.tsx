import { methodLabel } from "#server/kernel/messages/method-label.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletApprovalDetail, WalletMandate } from "#server/trpc/wallet/views.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import {
  approvalBlocker,
  approvalOutcome,
  approvalTitle,
  isApprovalOpen,
} from "../../format/labels/approval-labels.ts";
import { mandateName } from "../../format/labels/mandate-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PartyLogo } from "../../ui/party-logo.tsx";
import { ApprovalActions } from "./approval-actions.tsx";
import styles from "./approval-card.module.css";
import { TimeLeft } from "./time-left.tsx";

/** A payment that needs the payer's approval, or its outcome. */
export const ApprovalCard = ({
  approval,
  mandate,
  email,
  now,
  reader,
}: {
  approval: WalletApprovalDetail;
  mandate: WalletMandate;
  email: string;
  now: Date;
  reader: Reader;
}) => {
  const { merchant, client, bankUrl, expiresAt } = approval;
  const t = translator(reader.locale, "approvals");
  const outcome = approvalOutcome(approval, mandate, {
    approvals: t,
    activity: translator(reader.locale, "activity"),
  });
  return (
    <section className={`card ${styles.ask}`} aria-labelledby="ask">
      <div className={styles.who}>
        <PartyLogo name={merchant.name} size="large" />
        <div>
          <h1 id="ask">{approvalTitle(approval, reader, t)}</h1>
          <p className="muted small">{t(isApprovalOpen(approval) ? "wants" : "wanted", { agent: client.name })}</p>
        </div>
      </div>
      {expiresAt ? (
        <TimeLeft seconds={Math.max(1, Math.ceil((Date.parse(expiresAt) - now.getTime()) / 1_000))} />
      ) : null}
      {outcome ? (
        <Notice tone={outcome.tone} isLive>
          {outcome.text}
        </Notice>
      ) : null}
      <Facts approval={approval} mandate={mandate} now={now} reader={reader} />
      {bankUrl ? (
        <ButtonLink href={bankUrl} variant="primary" isWide>
          {t("atBank")}
        </ButtonLink>
      ) : null}
      {approval.approvalState === "waiting" ? (
        <Decision approval={approval} mandate={mandate} email={email} reader={reader} />
      ) : null}
    </section>
  );
};

const Decision = ({
  approval,
  mandate,
  email,
  reader,
}: {
  approval: WalletApprovalDetail;
  mandate: WalletMandate;
  email: string;
  reader: Reader;
}) => {
  const t = translator(reader.locale, "approvals");
  const blocker = approvalBlocker(approval, mandate, t);
  const amount = formatAmount(approval.amountMinor, approval.currency, reader);
  const method = approval.paymentMethod ? methodLabel(approval.paymentMethod.label, reader.locale) : t("yourMethod");
  const consequence = approval.isCapturedLater
    ? t("reservedLater", { amount, method, merchant: approval.merchant.name })
    : t("paidNow", { amount, method });
  return (
    <>
      {blocker ? (
        <Notice tone="warn">
          {blocker} <Link href={`/wallet/mandates/${mandate.id}`}>{t("seeMandate")}</Link>
        </Notice>
      ) : null}
      <ApprovalActions chargeId={approval.id} email={email} canApprove={blocker === null} />
      <p className={`tiny ${styles.after}`}>
        {blocker === null ? `${consequence} ` : null}
        {t("otherwise")}
      </p>
    </>
  );
};

const Facts = ({
  approval,
  mandate,
  now,
  reader,
}: {
  approval: WalletApprovalDetail;
  mandate: WalletMandate;
  now: Date;
  reader: Reader;
}) => {
  const t = translator(reader.locale, "approvals");
  const threshold = mandate.stepUpAboveMinor;
  const [method, later] = [approval, mandate].map(
    ({ paymentMethod }) => paymentMethod && methodLabel(paymentMethod.label, reader.locale),
  );
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t("facts.for")}</dt>
        <dd>{approval.reference ?? t("facts.notGiven")}</dd>
      </div>
      <div>
        <dt>{t("facts.mandate")}</dt>
        <dd>
          <Link href={`/wallet/mandates/${mandate.id}`}>{mandateName(mandate)}</Link>
        </dd>
      </div>
      <div>
        <dt>{t("facts.method")}</dt>
        <dd>
          {method ?? t("facts.methodGone")}
          {later && later !== method ? (
            <span className="muted"> {t("facts.methodChanged", { method: later })}</span>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>{t("facts.requested")}</dt>
        <dd>
          {t(approval.isPayerAbsent ? "facts.whileAbsent" : "facts.whilePresent", {
            date: formatRelativeDateTime(new Date(approval.createdAt), now, reader),
          })}
        </dd>
      </div>
      {threshold === null || approval.approvalState === null ? null : (
        <div>
          <dt>{t("facts.threshold")}</dt>
          <dd>{t("facts.above", { amount: formatAmount(threshold, mandate.currency, reader) })}</dd>
        </div>
      )}
    </dl>
  );
};
