"use client";
import { type FormEvent, useState } from "react";
import { sendForm } from "./send-form.ts";
import { forgetTypedEmail } from "./typed-email.ts";

/**
 * A native form that stays on the page after a refusal, so that what was typed is kept.
 * @param initialProblem code of the refusal, if the form was sent without JavaScript; otherwise null
 * @param nextPage opened instead of the page that the service names
 */
export const useNativeForm = (initialProblem: string | null, nextPage?: string) => {
  const [problem, setProblem] = useState(initialProblem);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    const form = event.currentTarget;
    const result = await sendForm(form);
    if (result.kind === "next") {
      forgetTypedEmail();
      return window.location.assign(nextPage ?? result.path);
    }
    setProblem(result.code);
    setIsBusy(false);
    form.querySelector<HTMLInputElement>("input:not([type=hidden]):not([hidden])")?.focus();
  };
  return { problem, isBusy, submit };
};
