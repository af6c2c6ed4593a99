"use client";
import type { OperatorRole } from "#server/accounts/authorize.ts";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import { RoleSelect, roleOf } from "./role-select.tsx";

type Props = { accountId: string; name: string; role: OperatorRole; email: string };

export const ChangeRole = ({ accountId, name, role, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and change");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const change = (form: FormData) => {
    const input = { accountId, role: roleOf(form), reason: textField(form, "reason") };
    return run(() => trpc.operatorTeam.changeRole.mutate(input));
  };
  return (
    <>
      <Button size="small" aria-label={`Change role: ${name}`} onClick={open}>
        Change role
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={`Change the role of ${name}?`}
        confirmLabel="Change role"
        fields={
          <>
            <RoleSelect selected={role} />
            <ReasonField />
          </>
        }
        onConfirm={change}
      >
        The new role applies immediately.
      </ConfirmDialog>
    </>
  );
};
