import { Button, ButtonLink } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./demo.module.css";
import type { StepId } from "./demo-steps.ts";
import { price } from "./demo-texts.ts";
import type { GrantedLimits } from "./protocol/demo-granted.ts";
import { type Exchange, responseMember } from "./protocol/demo-wire.ts";

/** Explains the response in a sentence. */
export const Verdict = ({
  step,
  exchanges,
  granted,
}: {
  step: StepId;
  exchanges: readonly Exchange[];
  granted: GrantedLimits | null;
}) => {
  const last = exchanges.at(-1);
  if (!last) return null;
  if (step === "check") {
    return responseMember(last, "valid") === true ? (
      <Notice tone="good">Valid: the payment is within your limits.</Notice>
    ) : (
      <Notice tone="warn">
        Not valid: {reasonOf(last)}. {granted ? describeExceededLimit(reasonOf(last), granted) : ""}
      </Notice>
    );
  }
  if (step === "charge")
    return <Notice tone="good">{describeChargeStatus(String(responseMember(last, "status")))}</Notice>;
  if (step === "refused")
    return (
      <Notice tone="good">
        Refused with {last.status}: {reasonOf(last)}. This is the expected result.
      </Notice>
    );
  return null;
};

/** The limit that a payment exceeds. The shop doesn't learn the limit; the agent reads it from its own token. */
const describeExceededLimit = (reason: string, { perPaymentMinor, perMonthMinor }: GrantedLimits): string => {
  if (reason === "amount_exceeds_per_payment") return `You allow at most ${price(perPaymentMinor)} per payment.`;
  if (reason === "period_limit_exceeded") return `You allow at most ${price(perMonthMinor)} per month.`;
  return "";
};

const describeChargeStatus = (status: string): string =>
  status === "succeeded"
    ? "Paid. The charge succeeded."
    : `The charge has the status “${status.replaceAll("_", " ")}”.`;

const reasonOf = (exchange: Exchange): string => {
  const reasons = responseMember(exchange, "reasons");
  const first: unknown = Array.isArray(reasons) ? reasons[0] : null;
  const code: unknown = typeof first === "object" && first !== null ? Reflect.get(first, "code") : null;
  return typeof code === "string" ? code : String(responseMember(exchange, "title") ?? "refused");
};

export const Ended = ({ onRestart }: { onRestart: () => void }) => (
  <section className={`card ${styles.ended}`}>
    <h2>That’s how Paygrant works</h2>
    <p>
      An agent asked, you set the limits, and a shop was paid within them. After the mandate was stopped, the next
      charge was refused. Your wallet shows the mandate with every payment.
    </p>
    <div className={styles.acts}>
      <ButtonLink href="/wallet" variant="primary">
        Open my wallet
      </ButtonLink>
      <Button onClick={onRestart}>Run it again</Button>
    </div>
  </section>
);
