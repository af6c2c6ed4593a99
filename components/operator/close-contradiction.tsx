"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { type Problem, ProblemNotice, problemOf } from "../merchant/problem.tsx";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Dialog, DialogActs } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { trpc } from "../wallet/trpc-client.ts";
import { useStepUp } from "../wallet/use-step-up.tsx";
import styles from "./operator.module.css";

/** Says what came of it, which stands in the audit log with the operator's name. No money moves by that. */
export const CloseContradiction = ({ contradictionId, email }: { contradictionId: string; email: string }) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and close it");
  const [isAsked, setIsAsked] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const close = async (reason: string): Promise<void> => {
    setIsBusy(true);
    setProblem(null);
    try {
      await trpc.operator.closeContradiction.mutate({ contradictionId, reason });
      setIsAsked(false);
      router.refresh();
    } catch (error) {
      if (!stepUp.asks(error, () => close(reason))) setProblem(problemOf(error));
    } finally {
      setIsBusy(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    return close(String(new FormData(event.currentTarget).get("reason") ?? "").trim());
  };

  return (
    <>
      <Button size="small" onClick={() => setIsAsked(true)}>
        Close it
      </Button>
      <Dialog isOpen={isAsked} onOpenChange={setIsAsked} title="Close this contradiction?">
        <form className={styles.form} onSubmit={submit}>
          <p className="small">
            Nothing is booked and no money moves by it. See first that the money is where it belongs: give it back in
            the processor’s books, or come to terms with the merchant.
          </p>
          <Field
            label="What came of it"
            name="reason"
            required
            minLength={3}
            maxLength={500}
            hint="Kept in the audit log with your name."
          />
          {problem ? <ProblemNotice problem={problem} /> : null}
          <DialogActs>
            <Button onClick={() => setIsAsked(false)}>Leave it open</Button>
            <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
              Close it
            </SubmitButton>
          </DialogActs>
        </form>
        {stepUp.dialog}
      </Dialog>
    </>
  );
};
