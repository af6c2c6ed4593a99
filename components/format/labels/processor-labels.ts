import type { ProcessorState } from "#server/merchants/rules/processor-state.ts";
import type { Tone } from "../../ui/pill.tsx";
import { sentenceCase } from "../text.ts";

const labels: Readonly<Record<ProcessorState, readonly [Tone, string]>> = {
  not_connected: ["warn", "Not connected"],
  details_needed: ["warn", "Details needed"],
  in_review: ["note", "In review"],
  enabled: ["good", "Enabled"],
  restricted: ["bad", "Restricted"],
  disabled: ["bad", "Disabled"],
  disconnected: ["bad", "Disconnected"],
};

/** The state of a merchant's account at the processor. */
export const processorStateLabel = (state: ProcessorState): { tone: Tone; label: string } => {
  const [tone, label] = labels[state];
  return { tone, label };
};

const isProcessorState = (text: string): text is ProcessorState => Object.hasOwn(labels, text);

/** A value of the audit log: the name of a state, or the value itself. */
export const processorStateText = (value: string): string => (isProcessorState(value) ? labels[value][1] : value);

/** The name of a processor, in a sentence: `Stripe` or `the simulator`. */
export const processorInSentence = (processor: string): string =>
  processor === "simulator" ? "the simulator" : sentenceCase(processor);

/** docs.stripe.com/api/accounts/object: `requirements.disabled_reason`. */
const reasons: Readonly<Record<string, string>> = {
  "rejected.fraud": "Stripe suspects fraud",
  "rejected.incomplete_verification": "the details couldn’t be verified",
  "rejected.listed": "a person or the company is on a list of prohibited persons or companies",
  "rejected.terms_of_service": "the business breaks Stripe’s terms of service",
  listed: "a person or the company may be on a list of prohibited persons or companies",
  platform_paused: "Paygrant paused the account",
};

/** Why the processor disabled an account, as a part of a sentence. */
export const disabledReasonText = (reason: string | null): string =>
  reasons[reason ?? ""] ?? "the reason isn’t available here";
