"use client";
import { useTranslations } from "use-intl";
import { PasskeyProblem } from "./passkey.ts";
import type { SignInProblem } from "./send-sign-in.ts";

const texts = {
  sign_in_refused: "refused",
  passkey_refused: "passkeyRefused",
  passkey_challenge_gone: "timedOut",
  too_many_attempts: "tooManyAttempts",
  unreachable: "unreachable",
} as const;

const isKnown = (code: string): code is keyof typeof texts => Object.hasOwn(texts, code);

/** The message for a failed sign-in. */
export const useSignInMessage = (): ((problem: SignInProblem) => string) => {
  const t = useTranslations("sign-in");
  const passkey = useTranslations("passkey");
  return (problem) => {
    if (problem instanceof PasskeyProblem) return passkey(problem.text);
    return t(isKnown(problem) ? texts[problem] : "failed");
  };
};
