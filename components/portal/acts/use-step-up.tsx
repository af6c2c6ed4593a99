"use client";
import { type ReactNode, useState } from "react";
import { StepUpDialog } from "./step-up-dialog.tsx";
import { reasonOf } from "./trpc-client.ts";

type StepUp = {
  /** Whether the error wants a recent proof: then the dialog asks for one, and goes on with the act by `again`. */
  asks: (error: unknown, again: () => Promise<void>) => boolean;
  /** Stands inside the question that it follows, beside its form: so focus returns there. */
  dialog: ReactNode;
};

/** For acts that may want a recent proof of who is there. @param verb what follows, as on the button. */
export const useStepUp = (email: string, verb: string): StepUp => {
  const [waiting, setWaiting] = useState<{ again: () => Promise<void> } | null>(null);
  const goOn = async () => {
    setWaiting(null);
    await waiting?.again();
  };
  return {
    asks: (error, again) => {
      if (reasonOf(error) !== "proof_too_old") return false;
      setWaiting({ again });
      return true;
    },
    dialog: (
      <StepUpDialog
        isOpen={waiting !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setWaiting(null))}
        email={email}
        verb={verb}
        onProven={goOn}
      />
    ),
  };
};
