"use client";
import { useState } from "react";
import { StepUpDialog } from "../../portal/acts/step-up-dialog.tsx";
import { Section } from "../../portal/page-head.tsx";
import { Button } from "../../ui/button.tsx";

/** Replaces the texts of an e-mail until the operator has confirmed their identity. @param email of the operator */
export const ConfirmReading = ({ email }: { email: string }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section title="Text">
      <p>This e-mail may contain a code or a link to sign in. To read the e-mail, confirm your identity.</p>
      <div>
        <Button onClick={() => setIsOpen(true)}>Show text</Button>
      </div>
      <StepUpDialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        email={email}
        confirmLabel="Confirm and show"
        // A whole new page, because the e-mail's styles need the nonce of the page that shows them.
        onProven={async () => window.location.reload()}
      />
    </Section>
  );
};
