"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import type { OperatorSigningKey } from "#server/trpc/operator/operator-service-views.ts";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { useQuestion } from "../../portal/acts/use-question.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Section } from "../../portal/page-head.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

export type KeyPurpose = "access_token" | "receipt" | "credential" | "directory";

/** The keys of one purpose. "Rotate now": the next one signs from now on. */
export const KeySection = ({
  purpose,
  title,
  label,
  email,
  children,
}: {
  purpose: KeyPurpose;
  title: string;
  label: string;
  email: string;
  /** the table */
  children: ReactNode;
}) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and rotate");
  const { isBusy, notice, perform, clear } = useAct(stepUp.asks);
  const [isOpen, setIsOpen] = useState(false);
  const [told, setTold] = useState<"rotated" | "asked" | null>(null);
  const show = (open: boolean) => {
    clear();
    setTold(null);
    setIsOpen(open);
  };
  return (
    <Section
      title={title}
      act={
        <Button size="small" aria-label={`Rotate now: the key of ${label}`} onClick={() => show(true)}>
          Rotate now
        </Button>
      }
    >
      {told ? (
        <Notice tone={told === "rotated" ? "good" : "note"} isLive>
          {told === "rotated"
            ? "The next key signs from now on."
            : "Asked for: the next key signs as soon as every reader knows it."}
        </Notice>
      ) : null}
      {children}
      <ReasonDialog
        isOpen={isOpen}
        isBusy={isBusy}
        notice={notice}
        stepUp={stepUp.dialog}
        title={`Rotate the key of ${label}?`}
        verb="Rotate it"
        close={() => show(false)}
        act={(reason) =>
          perform(async () => {
            const { outcome } = await trpc.operatorService.rotateSigningKey.mutate({ purpose, reason });
            setTold(outcome);
            setIsOpen(false);
            router.refresh();
          })
        }
      >
        The next key signs from now on, and the present one signs no more. What it signed stays valid until it ends.
      </ReasonDialog>
    </Section>
  );
};

/** Nothing that the key signed counts any more. */
export const RevokeKey = ({ kid, state, email }: Pick<OperatorSigningKey, "kid" | "state"> & { email: string }) => {
  const stepUp = useStepUp(email, "Confirm and revoke");
  const { ask, question, answer } = useQuestion(stepUp.asks);
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Revoke key ${kid}`} onClick={ask}>
        Revoke
      </Button>
      <ReasonDialog
        {...question}
        stepUp={stepUp.dialog}
        variant="dangerSolid"
        title="Revoke this key?"
        verb="Revoke it"
        act={(reason) => answer(() => trpc.operatorService.revokeSigningKey.mutate({ kid, reason }))}
      >
        Nothing that it signed counts from now on, on any node.
        {state === "active" ? " The next key signs at once, and whoever holds a token needs a new one." : null} This
        can’t be undone.
      </ReasonDialog>
    </>
  );
};
