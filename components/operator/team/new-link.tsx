"use client";
import type { OperatorRole } from "#server/accounts/authorize.ts";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { useLink } from "./use-link.tsx";

type Props = { target: string; role: OperatorRole; kind: "renew" | "reset"; email: string };

/** Creates a new link for a pending invitation, or a link that resets the second factor of an operator. */
export const NewLink = ({ target, role, kind, email }: Props) => {
  const link = useLink(email);
  const isReset = kind === "reset";
  return (
    <>
      <Button size="small" aria-label={isReset ? `Reset factor: ${target}` : `New link: ${target}`} onClick={link.open}>
        {isReset ? "Reset factor" : "New link"}
      </Button>
      <ReasonDialog
        {...link.dialog}
        title={isReset ? `Reset the second factor of ${target}?` : `New link for ${target}?`}
        confirmLabel="Create link"
        onConfirm={(reason) => link.make({ email: target, role, reason })}
      >
        {isReset
          ? "The old second factor works until the operator signs in and accepts the link. Then the authenticator app is removed. Passkeys are removed too, unless the operator signed in with a passkey."
          : "The earlier link stops working. The new link works once, within 24 hours."}
      </ReasonDialog>
      {link.result}
    </>
  );
};
