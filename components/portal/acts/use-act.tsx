"use client";
import { type FormEvent, type ReactNode, useState } from "react";
import { type Problem, ProblemNotice, problemOf } from "./problem.tsx";

type Act = {
  isBusy: boolean;
  problem: Problem | null;
  /** what went wrong, beside the button; null while nothing did */
  notice: ReactNode;
  perform(work: () => Promise<void>): Promise<void>;
  /** forgets what went wrong */
  clear(): void;
};

/**
 * One act of a form or a dialog: busy while it runs, and where it fails the page says why.
 * @param asks takes an error that wants a recent proof, and goes on with the act once it is given: `useStepUp().asks`
 */
export const useAct = (asks?: (error: unknown, again: () => Promise<void>) => boolean): Act => {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const perform = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      if (!asks?.(error, () => perform(work))) setProblem(problemOf(error));
    } finally {
      setIsBusy(false);
    }
  };
  return {
    isBusy,
    problem,
    notice: problem ? <ProblemNotice problem={problem} /> : null,
    perform,
    clear: () => setProblem(null),
  };
};

/** What a form says, without the page being left. */
export const sent = (event: FormEvent<HTMLFormElement>): FormData => {
  event.preventDefault();
  return new FormData(event.currentTarget);
};

export const textIn = (form: FormData, name: string): string => String(form.get(name) ?? "").trim();
