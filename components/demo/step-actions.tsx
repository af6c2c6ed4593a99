import type { ReactNode } from "react";
import { Button, ButtonLink } from "../ui/button.tsx";
import { coffee, machine, requireValue, type StepId } from "./demo-steps.ts";
import { price } from "./demo-texts.ts";
import {
  chargeMandate,
  checkPayment,
  coffeeVerdict,
  pushMandateRequest,
  registerParties,
  revokeAndRestart,
  revokeMandateAsAgent,
} from "./protocol/demo-flow.ts";
import { type Exchange, responseMember } from "./protocol/demo-wire.ts";
import type { DemoControls } from "./use-demo.ts";

type Props = { demo: DemoControls };

/** The buttons of the current step. */
export const StepActions = ({ step, demo }: Props & { step: StepId }): ReactNode => {
  const { state, addresses, run, update } = demo;
  switch (step) {
    case "register":
      return (
        <PrimaryAction
          step={step}
          demo={demo}
          label="Register both"
          onClick={() => run({ step, state, work: () => registerParties(addresses) })}
        />
      );
    case "request":
      return (
        <PrimaryAction
          step={step}
          demo={demo}
          label="Push the request"
          onClick={() => run({ step, state, work: () => pushMandateRequest(state, addresses) })}
        />
      );
    case "decide":
      return (
        <PrimaryAction
          step={step}
          demo={demo}
          label="Review the request"
          onClick={() => window.location.assign(requireValue(state.authorizationUrl))}
        />
      );
    case "token":
      return <PrimaryAction step={step} demo={demo} label="Ask again" onClick={() => update({ next: "request" })} />;
    case "check":
      return coffeeVerdict(state) === "invalid" ? <AskAgain demo={demo} /> : <CheckActions demo={demo} />;
    case "charge":
    case "refused":
      return <ChargeAction step={step} demo={demo} />;
    case "stop":
      return <StopActions demo={demo} />;
  }
};

const PrimaryAction = ({
  step,
  demo: { busy },
  label,
  onClick,
}: Props & { step: StepId; label: string; onClick: () => void }) => (
  <Button variant="primary" isBusy={busy === step} disabled={busy !== null && busy !== step} onClick={onClick}>
    {label}
  </Button>
);

/** The coffee costs more than the payer allows, so the agent can request a larger mandate. */
const AskAgain = ({ demo }: Props) => {
  const { state, busy, run, restart } = demo;
  const work = async () => ({ ...(await revokeAndRestart(state)), next: "request" as const });
  return (
    <>
      <PrimaryAction step="check" demo={demo} label="Ask again" onClick={() => run({ step: "check", state, work })} />
      <Button disabled={busy !== null} onClick={restart}>
        Start over
      </Button>
    </>
  );
};

const CheckActions = ({ demo }: Props) => {
  const { state, busy, run } = demo;
  // The next step is the charge if the payment is within the limits. Otherwise, the demo stays at this step.
  const check = (amountMinor: number) =>
    run({
      step: "check",
      state,
      work: async () => {
        const outcome = await checkPayment(state, amountMinor);
        const isAllowed = coffeeVerdict({ ...state, exchanges: { check: outcome.exchanges } }) === "valid";
        return { ...outcome, next: isAllowed ? "charge" : "check" };
      },
    });
  return (
    <>
      <PrimaryAction
        step="check"
        demo={demo}
        label={`Check ${price(coffee.amountMinor)}`}
        onClick={() => check(coffee.amountMinor)}
      />
      <Button disabled={busy !== null} onClick={() => check(machine.amountMinor)}>
        Check {price(machine.amountMinor)} first
      </Button>
    </>
  );
};

const ChargeAction = ({ step, demo }: Props & { step: "charge" | "refused" }) => {
  const { state, run } = demo;
  const work = async () => {
    const outcome = await chargeMandate(state);
    const charged = outcome.exchanges.at(-1);
    if (charged?.path !== "/merchant_test/charge") return outcome;
    const isExpected = step === "charge" ? charged.status < 300 : charged.status === 403;
    return { ...outcome, failure: isExpected ? null : describeUnexpectedCharge(step, charged) };
  };
  const label = `Charge ${price(coffee.amountMinor)}${step === "refused" ? " again" : ""}`;
  return <PrimaryAction step={step} demo={demo} label={label} onClick={() => run({ step, state, work })} />;
};

const describeUnexpectedCharge = (step: "charge" | "refused", charged: Exchange): string => {
  if (step === "refused" && charged.status < 300) {
    return "The charge succeeded, so the mandate is still active. Stop it in your wallet first, then try again.";
  }
  return `The response to the charge was ${charged.status}. ${String(responseMember(charged, "detail") ?? "")}`;
};

const StopActions = ({ demo: { state, busy, run, update } }: Props) => (
  <>
    <ButtonLink
      variant="primary"
      href={`/wallet/mandates/${state.mandateId}?from=demo`}
      onClick={() => update({ next: "refused" })}
    >
      Stop it in my wallet
    </ButtonLink>
    <Button disabled={busy !== null} onClick={() => run({ step: "stop", state, work: revokeMandateAsAgent })}>
      Let the agent revoke it
    </Button>
  </>
);
