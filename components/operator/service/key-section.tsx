"use client";
import { type ReactNode, useState } from "react";
import type { KeyPurpose } from "#server/kernel/key-purpose.ts";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Section } from "../../portal/page-head.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { IfAllowed } from "../if-allowed.tsx";

type KeySectionProps = {
  purpose: KeyPurpose;
  title: string;
  label: string;
  email: string;
  /** the table of keys */
  children: ReactNode;
};

/**
 * The keys of one purpose. "Rotate now" makes the next key active. If that key was published too recently, the rotation
 * is only requested.
 */
export const KeySection = ({ purpose, title, label, email, children }: KeySectionProps) => {
  const rotation = useRotation(purpose, email);
  return (
    <Section
      title={title}
      act={
        <IfAllowed action="signing_key.rotate">
          <Button size="small" aria-label={`Rotate now: the signing key for ${label}`} onClick={rotation.open}>
            Rotate now
          </Button>
        </IfAllowed>
      }
    >
      {rotation.outcome ? <RotationNotice outcome={rotation.outcome} /> : null}
      {children}
      <ReasonDialog
        {...rotation.dialog}
        title={`Rotate the signing key for ${label}?`}
        confirmLabel="Rotate key"
        onConfirm={rotation.rotate}
      >
        The next key becomes active as soon as all clients have had time to load it. The current key then stops signing.
        Everything that the current key signed remains valid until its own expiry.
      </ReasonDialog>
    </Section>
  );
};

type Outcome = "rotated" | "requested";

const RotationNotice = ({ outcome }: { outcome: Outcome }) => (
  <Notice tone={outcome === "rotated" ? "good" : "note"} isLive>
    {outcome === "rotated"
      ? "The key was rotated. The new key is active."
      : "Rotation requested. The next key becomes active when all clients have had time to load it."}
  </Notice>
);

const useRotation = (purpose: KeyPurpose, email: string) => {
  const stepUp = useStepUp(email, "Confirm and rotate");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  return {
    outcome,
    open: () => {
      setOutcome(null);
      open();
    },
    dialog: { ...dialog, stepUp: stepUp.dialog },
    rotate: (reason: string) =>
      run(async () => {
        const rotation = await trpc.operatorService.rotateSigningKey.mutate({ purpose, reason });
        setOutcome(rotation.outcome);
      }),
  };
};
