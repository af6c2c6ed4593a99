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
import { ApprovalActions } from "./approval-acts.tsx";
import styles from "./approval-card.module.css";
import { TimeLeft } from "./time-left.tsx";

/** One payment that waits for its payer, or did: who asks, how much, for what, and the two answers. */
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
            {client.name} {isApprovalOpen(approval) ? "wants" : "wanted"} to pay it for you
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
      {approval.standing === "waiting" ? (
        <Answer approval={approval} mandate={mandate} email={email} reader={reader} />
      ) : null}
    </section>
  );
};

const Answer = ({
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
  const obstacle = approvalBlocker(approval, mandate);
  const amount = formatAmount(approval.amountMinor, approval.currency, reader);
  const method = approval.paymentMethod?.label ?? "your payment method";
  const consequence = approval.isCapturedLater
    ? `Approve, and ${amount} is set aside on ${method} until ${approval.merchant.name} takes it.`
    : `Approve, and ${amount} is paid with ${method} at once.`;
  return (
    <>
      {obstacle ? (
        <Notice tone="warn">
          {obstacle} <Link href={`/wallet/mandates/${mandate.id}`}>See the mandate</Link>
        </Notice>
      ) : null}
      <ApprovalActions chargeId={approval.id} email={email} mayApprove={obstacle === null} />
      <p className={`tiny ${styles.after}`}>
        {obstacle === null ? `${consequence} ` : null}
        Decline, or let the time run out, and nothing is charged.
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
        <dd>{approval.reference ?? "not said"}</dd>
      </div>
      <div>
        <dt>Under the mandate</dt>
        <dd>
          <Link href={`/wallet/mandates/${mandate.id}`}>{mandateName(mandate)}</Link>
        </dd>
      </div>
      <div>
        <dt>Pays with</dt>
        <dd>
          {method ?? "a payment method that is gone"}
          {later && later !== method ? (
            <span className="muted"> (chosen when it was asked for; the mandate pays with {later} since)</span>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>Asked for</dt>
        <dd>
          {formatRelativeDateTime(new Date(approval.createdAt), now, reader)},{" "}
          {approval.isPayerAway ? "while you were away" : "with you there"}
        </dd>
      </div>
      {threshold === null || approval.standing === null ? null : (
        <div>
          <dt>Needs your word</dt>
          <dd>each payment above {formatAmount(threshold, mandate.currency, reader)}</dd>
        </div>
      )}
    </dl>
  );
};
