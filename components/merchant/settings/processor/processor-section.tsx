import type { MerchantStanding } from "#server/kernel/merchant-standing.ts";
import { formatDateTime } from "../../../format/dates.ts";
import { processorStateLabel } from "../../../format/labels/processor-labels.ts";
import { requirementLabels } from "../../../format/labels/requirement-labels.ts";
import type { Reader } from "../../../format/reader.ts";
import { Section } from "../../../portal/page-head.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { CheckAgain } from "./check-again.tsx";
import { ConnectButton } from "./connect-button.tsx";
import styles from "./processor.module.css";
import { type ProcessorView, processorText } from "./processor-texts.ts";

type ProcessorSectionProps = {
  view: ProcessorView;
  merchant: { merchantId: string; standing: MerchantStanding };
  /** the member's address, to confirm their identity */
  email: string;
  mayConnect: boolean;
  reader: Reader;
};

export const ProcessorSection = (props: ProcessorSectionProps) => (
  <Section title="Processor">
    <ProcessorAccount {...props} />
  </Section>
);

/** The merchant's account at the processor: its state, the missing details, and a link to complete it. */
export const ProcessorAccount = (props: ProcessorSectionProps) =>
  props.view.isConnectable ? (
    <StripeAccount {...props} />
  ) : (
    <p className="muted small">Payments of this merchant are simulated. There is no account to connect.</p>
  );

const StripeAccount = ({ view, merchant, email, mayConnect, reader }: ProcessorSectionProps) => {
  const { tone, label } = processorStateLabel(view.state);
  const isReviewed = merchant.standing !== "pending" && merchant.standing !== "declined";
  return (
    <div className={`card ${styles.box}`}>
      <div className={styles.head}>
        <b>Stripe</b>
        <Pill tone={tone}>{label}</Pill>
        {view.account ? <code className="small muted">{view.account}</code> : null}
      </div>
      <p>{processorText(view)}</p>
      <DueDetails view={view} reader={reader} />
      {mayConnect && isReviewed ? <Acts view={view} merchantId={merchant.merchantId} email={email} /> : null}
      {isReviewed ? null : (
        <p className="muted small">{unreviewedTexts[merchant.standing === "declined" ? "declined" : "pending"]}</p>
      )}
      {isReviewed && !mayConnect && view.state !== "enabled" ? (
        <p className="muted small">Only an owner or admin of the team can change the account.</p>
      ) : null}
      {view.checkedAt ? (
        <p className="muted small">Status reported by Stripe on {formatDateTime(new Date(view.checkedAt), reader)}.</p>
      ) : null}
    </div>
  );
};

const unreviewedTexts = {
  pending: "You can connect Stripe after Paygrant approves the merchant.",
  declined: "Paygrant declined the merchant, so you can’t connect Stripe.",
} as const;

/** What Stripe needs, in plain words. */
const DueDetails = ({ view: { state, due, dueBy }, reader }: { view: ProcessorView; reader: Reader }) => {
  if (due.length === 0 || state === "disabled" || state === "disconnected") return null;
  const until = dueBy && state === "enabled" ? ` by ${formatDateTime(new Date(dueBy), reader)}` : "";
  return (
    <div>
      <p className="small">Stripe needs these details{until}:</p>
      <ul className={`small ${styles.due}`}>
        {requirementLabels(due).map((requirement) => (
          <li key={requirement}>{requirement}</li>
        ))}
      </ul>
    </div>
  );
};

const Acts = ({ view, merchantId, email }: { view: ProcessorView; merchantId: string; email: string }) => {
  const { state, due } = view;
  const isOpen = state === "details_needed" || state === "restricted" || (state === "enabled" && due.length > 0);
  return (
    <div className={styles.acts}>
      {state === "not_connected" ? (
        <ConnectButton merchantId={merchantId} email={email} label="Connect Stripe" />
      ) : null}
      {isOpen ? <ConnectButton merchantId={merchantId} email={email} label="Continue at Stripe" /> : null}
      {state === "not_connected" ? null : <CheckAgain merchantId={merchantId} />}
      {state === "enabled" || state === "disabled" ? (
        <a href="https://dashboard.stripe.com/" rel="noreferrer">
          Go to Stripe’s dashboard
        </a>
      ) : null}
    </div>
  );
};
