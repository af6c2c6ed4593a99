import Link from "next/link";
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
  const outcome = approvalOutcome(approval, mandate);
  return (
    <section className={`card ${styles.ask}`} aria-labelledby="ask">
      <div className={styles.who}>
        <PartyLogo name={merchant.name} isLarge />
        <div>
          <h1 id="ask">{approvalTitle(approval, reader)}</h1>
          <p className="muted small">
            {client.name} {isApprovalOpen(approval) ? "wants" : "wanted"} to make this payment for you
          </p>
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
          Continue at your bank
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
  const blocker = approvalBlocker(approval, mandate);
  const amount = formatAmount(approval.amountMinor, approval.currency, reader);
  const method = approval.paymentMethod?.label ?? "your payment method";
  const consequence = approval.isCapturedLater
    ? `If you approve, ${amount} is reserved on ${method} until ${approval.merchant.name} collects it.`
    : `If you approve, ${amount} is paid immediately with ${method}.`;
  return (
    <>
      {blocker ? (
        <Notice tone="warn">
          {blocker} <Link href={`/wallet/mandates/${mandate.id}`}>See the mandate</Link>
        </Notice>
      ) : null}
      <ApprovalActions chargeId={approval.id} email={email} canApprove={blocker === null} />
      <p className={`tiny ${styles.after}`}>
        {blocker === null ? `${consequence} ` : null}
        If you decline or don’t answer in time, nothing is charged.
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
  const threshold = mandate.stepUpAboveMinor;
  const [method, later] = [approval.paymentMethod?.label, mandate.paymentMethod?.label];
  return (
    <dl className={styles.facts}>
      <div>
        <dt>For</dt>
        <dd>{approval.reference ?? "not given"}</dd>
      </div>
      <div>
        <dt>Mandate</dt>
        <dd>
          <Link href={`/wallet/mandates/${mandate.id}`}>{mandateName(mandate)}</Link>
        </dd>
      </div>
      <div>
        <dt>Payment method</dt>
        <dd>
          {method ?? "a removed payment method"}
          {later && later !== method ? (
            <span className="muted"> (chosen at the time of the request; the mandate now uses {later})</span>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>Requested</dt>
        <dd>
          {formatRelativeDateTime(new Date(approval.createdAt), now, reader)},{" "}
          {approval.isPayerAbsent ? "while you weren’t present" : "while you were present"}
        </dd>
      </div>
      {threshold === null || approval.approvalState === null ? null : (
        <div>
          <dt>Needs your approval</dt>
          <dd>each payment above {formatAmount(threshold, mandate.currency, reader)}</dd>
        </div>
      )}
    </dl>
  );
};
