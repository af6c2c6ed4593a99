"use client";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { textField } from "../../portal/acts/use-act.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { RoleSelect, roleOf } from "./role-select.tsx";
import { useLink } from "./use-link.tsx";

/** Makes a one-time link for a new operator. */
export const InviteOperator = ({ email }: { email: string }) => {
  const link = useLink(email);
  return (
    <>
      <Button variant="primary" size="small" onClick={link.open}>
        Invite operator
      </Button>
      <ConfirmDialog
        {...link.dialog}
        title="Invite an operator"
        confirmLabel="Create link"
        fields={
          <>
            <Field label="E-mail" name="email" type="email" required maxLength={254} autoComplete="off" />
            <RoleSelect selected="viewer" />
            <ReasonField />
          </>
        }
        onConfirm={(form) =>
          link.make({ email: textField(form, "email"), role: roleOf(form), reason: textField(form, "reason") })
        }
      >
        The link is for one person. It works once, within 24 hours.
      </ConfirmDialog>
      {link.result}
    </>
  );
};
