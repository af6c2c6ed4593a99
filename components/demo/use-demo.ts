"use client";
import { useCallback, useEffect, useState } from "react";
import { clearDemo, loadDemo, saveDemo } from "./demo-state.ts";
import { type DemoState, initialState, type StepId, stepIds } from "./demo-steps.ts";
import { type Addresses, redeemCode, type StepOutcome } from "./protocol/demo-flow.ts";

const stepAfter = (step: StepId): DemoState["next"] => stepIds[stepIds.indexOf(step) + 1] ?? "done";

type Run = {
  step: StepId;
  state: DemoState;
  /** `next` overrides the step that follows */
  work: () => Promise<StepOutcome & { next?: DemoState["next"] }>;
};

/** The state of the demo, and the functions that change it. */
export const useDemo = (addresses: Addresses) => {
  const [state, setState] = useState<DemoState>(initialState);
  const [busy, setBusy] = useState<StepId | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const update = useCallback((changes: Partial<DemoState>) => {
    setState((former) => {
      const next = { ...former, ...changes };
      saveDemo(next);
      return next;
    });
  }, []);

  const run = useCallback(
    async ({ step, state: from, work }: Run) => {
      setBusy(step);
      setProblem(null);
      try {
        const outcome = await work();
        const exchanges = { ...from.exchanges, [step]: [...(from.exchanges[step] ?? []), ...outcome.exchanges] };
        update({
          exchanges,
          ...outcome.changes,
          ...(outcome.next ? { next: outcome.next } : outcome.failure ? {} : { next: stepAfter(step) }),
        });
        setProblem(outcome.failure);
      } catch (error) {
        setProblem(error instanceof Error ? error.message : "Something went wrong. Start over.");
      } finally {
        setBusy(null);
      }
    },
    [update],
  );

  useConsentReturn({ run, update, setState, setProblem });

  const restart = () => {
    clearDemo();
    setProblem(null);
    setState(initialState);
    window.scrollTo({ top: 0, behavior: "smooth" });
  };
  return { addresses, state, busy, problem, update, run, restart };
};

export type DemoControls = ReturnType<typeof useDemo>;

/** Once per page load: restores the state of this tab, and continues with the response of the consent page. */
const useConsentReturn = ({
  run,
  update,
  setState,
  setProblem,
}: {
  run: (run: Run) => Promise<void>;
  update: (changes: Partial<DemoState>) => void;
  setState: (state: DemoState) => void;
  setProblem: (problem: string) => void;
}) => {
  useEffect(() => {
    const saved = loadDemo();
    setState(saved);
    const query = new URLSearchParams(window.location.search);
    if (!query.has("state") && !query.has("error")) return;
    window.history.replaceState(null, "", "/demo");
    if (saved.next !== "decide") return setProblem("This response belongs to another run of the demo. Start over.");
    const state = { ...saved, next: "token" as const };
    update(state);
    void run({ step: "token", state, work: () => redeemCode(state, query) });
  }, [run, update, setState, setProblem]);
};
