import type { OperatorFoundPayer } from "#server/trpc/operator/payers/payer-views.ts";
import { sentenceCase } from "../../format/text.ts";
import type { Tone } from "../../ui/pill.tsx";

type PayerState = OperatorFoundPayer["state"];

/** These states are also the filter of the list. */
export const payerStates: Readonly<Record<PayerState, { tone: Tone; label: string }>> = {
  active: { tone: "good", label: "Active" },
  deleting: { tone: "warn", label: "Deletion requested" },
  deleted: { tone: "neutral", label: "Deleted" },
};

export const isPayerState = (text: string | undefined): text is PayerState =>
  text !== undefined && Object.hasOwn(payerStates, text);

/** The outcomes of the wallet's sign-in history. */
export const signInOutcomes = {
  signed_in: { tone: "good", label: "Signed in" },
  wrong_password: { tone: "bad", label: "Wrong password" },
  passkey_refused: { tone: "bad", label: "Passkey refused" },
  recovery_code: { tone: "warn", label: "Recovery code used" },
  recovery_code_refused: { tone: "bad", label: "Recovery code refused" },
  reset: { tone: "warn", label: "Password reset" },
} as const;

const acts: Readonly<Record<string, string>> = {
  "account.created": "Account created",
  "account.signed_out": "All sessions ended by an operator",
  "account.email_changed": "E-mail address changed",
  "session.opened": "Signed in",
  "session.ended": "Signed out",
  "session.refused": "Sign-in refused",
  "session.confirmed": "Identity confirmed",
  "session.revoked": "Session ended",
  "password_reset.requested": "Password reset requested",
  "data_export.requested": "Data export requested",
  "consent.approved": "Request approved",
};

export const payerActionLabel = (action: string): string => acts[action] ?? sentenceCase(action);
