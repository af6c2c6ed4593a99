"use client";
import { type FormEvent, useState } from "react";
import { sendSignInForm } from "./send-sign-in.ts";

/**
 * A native form that stays on the page after a refusal, so that what was typed is kept.
 * @param initialProblem code of a refusal without script
 * @param onDone gets the path of the next page
 */
export const useNativeForm = (initialProblem: string | null, onDone: (returnTo: string) => void) => {
  const [problem, setProblem] = useState(initialProblem);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    const form = event.currentTarget;
    const result = await sendSignInForm(form);
    if (result.kind === "signed_in") return onDone(result.returnTo);
    setProblem(typeof result.problem === "string" ? result.problem : "unreachable");
    setIsBusy(false);
    form.querySelector<HTMLInputElement>("input:not([type=hidden]):not([hidden])")?.focus();
  };
  return { problem, isBusy, submit };
};
