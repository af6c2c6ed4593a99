"use client";
import { type FormEvent, type ReactNode, useState } from "react";
import { type Problem, ProblemNotice, problemOf } from "./problem.tsx";
import { useMessageOf } from "./use-message-of.ts";

/** Handles an error of an action, and may run the action again later. Returns false if it doesn't handle the error. */
export type ErrorHandler = (error: unknown, retry: () => Promise<void>) => boolean;

type Act = {
  isBusy: boolean;
  problem: Problem | null;
  /** The problem as a notice, to show next to the button; null while there is none. */
  notice: ReactNode;
  /** Runs one action at a time. A call during a running action does nothing. */
  perform(work: () => Promise<void>): Promise<void>;
  /** Shows a problem that the page found itself; null clears it. */
  showProblem(problem: Problem | null): void;
};

/**
 * State of the action behind a form, a dialog or a button: whether it runs, and what went wrong.
 * @param handleError called with each error first, for example `useStepUp().handleError`
 */
export const useAct = (handleError?: ErrorHandler): Act => {
  const messageOf = useMessageOf();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const perform = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      if (!handleError?.(error, () => perform(work))) setProblem(problemOf(error, messageOf(error)));
    } finally {
      setIsBusy(false);
    }
  };
  return {
    isBusy,
    problem,
    notice: problem ? <ProblemNotice problem={problem} /> : null,
    perform,
    showProblem: setProblem,
  };
};

/** Reads a submitted form, and prevents the browser from leaving the page. */
export const submittedForm = (event: FormEvent<HTMLFormElement>): FormData => {
  event.preventDefault();
  return new FormData(event.currentTarget);
};

export const textField = (form: FormData, name: string): string => String(form.get(name) ?? "").trim();
