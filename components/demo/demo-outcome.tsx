import { Button, ButtonLink } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./demo.module.css";
import type { StepId } from "./demo-flow.ts";
import type { GrantedLimits } from "./demo-granted.ts";
import { price } from "./demo-texts.ts";
import { type Exchange, responseMember } from "./demo-wire.ts";

/** What the answer meant, in a sentence. */
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
      <Notice tone="good">Valid: the payment fits.</Notice>
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
        Refused with {last.status}: {reasonOf(last)}. Exactly as it should be.
      </Notice>
    );
  return null;
};

/** Which of the payer's limits a payment doesn't fit. The shop doesn't learn the limit; the agent reads it from its token. */
const describeExceededLimit = (reason: string, { perPaymentMinor, perMonthMinor }: GrantedLimits): string => {
  if (reason === "amount_exceeds_per_payment") return `You allow at most ${price(perPaymentMinor)} a payment.`;
  if (reason === "period_limit_exceeded") return `You allow at most ${price(perMonthMinor)} a month.`;
  return "";
};

const describeChargeStatus = (status: string): string =>
  status === "succeeded" ? "Paid. The charge succeeded." : `The charge is ${status.replaceAll("_", " ")}.`;

const reasonOf = (exchange: Exchange): string => {
  const reasons = responseMember(exchange, "reasons");
  const first: unknown = Array.isArray(reasons) ? reasons[0] : null;
  const code: unknown = typeof first === "object" && first !== null ? Reflect.get(first, "code") : null;
  return typeof code === "string" ? code : String(responseMember(exchange, "title") ?? "refused");
};

export const Ended = ({ onRestart }: { onRestart: () => void }) => (
  <section className={`card ${styles.ended}`}>
    <h2>That is the whole product</h2>
    <p>
      An agent asked, you set the limits, a shop was paid within them, and when you stopped it the next charge was
      refused. Everything you allowed is in your wallet, with every charge.
    </p>
    <div className={styles.acts}>
      <ButtonLink href="/wallet" variant="primary">
        Open my wallet
      </ButtonLink>
      <Button onClick={onRestart}>Run it again</Button>
    </div>
  </section>
);
