"use client";
import type { MerchantRole } from "#server/accounts/authorize.ts";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { ExplainedSelect } from "../../ui/field/explained-select.tsx";
import { invitableRoles, roleOptions } from "./roles.ts";

/** `email`: of the signed-in member. */
type ActProps = { merchantId: string; accountId: string; name: string; role: MerchantRole; email: string };

/** Actions on another member of the team. @param isOwner whether the signed-in member is an owner */
export const MemberActs = ({ isOwner, ...member }: ActProps & { isOwner: boolean }) => (
  <span className={styles.acts}>
    <ChangeRole {...member} roles={isOwner ? ["owner", ...invitableRoles] : invitableRoles} />
    {isOwner ? <TransferOwnership {...member} /> : null}
    <RemoveMember {...member} />
  </span>
);

const ChangeRole = ({
  merchantId,
  accountId,
  name,
  role,
  email,
  roles,
}: ActProps & { roles: readonly MerchantRole[] }) => {
  const stepUp = useStepUp(email, "Confirm and change");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const change = (form: FormData) => {
    const chosen = roles.find((known) => known === textField(form, "role")) ?? role;
    return run(() => trpc.team.changeRole.mutate({ merchantId, accountId, role: chosen }));
  };
  return (
    <>
      <Button size="small" aria-label={`Change role of ${name}`} onClick={open}>
        Change role
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={`Change the role of ${name}?`}
        confirmLabel="Change role"
        fields={<ExplainedSelect label="New role" name="role" selected={role} options={roleOptions(roles)} />}
        onConfirm={change}
      >
        The new role applies immediately. We e-mail {name}.
      </ConfirmDialog>
    </>
  );
};

const TransferOwnership = ({ merchantId, accountId, name, role, email }: ActProps) => {
  const stepUp = useStepUp(email, "Confirm and transfer");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button size="small" aria-label={`Transfer ownership to ${name}`} onClick={open}>
        Transfer ownership
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        variant="dangerSolid"
        title={`Transfer the ownership to ${name}?`}
        confirmLabel="Transfer ownership"
        onConfirm={() => run(() => trpc.team.transfer.mutate({ merchantId, accountId }))}
      >
        {name} {role === "owner" ? "stays" : "becomes"} an owner, and you become an admin. Only an owner can reverse
        this. We e-mail both of you.
      </ConfirmDialog>
    </>
  );
};

const RemoveMember = ({ merchantId, accountId, name, email }: ActProps) => {
  const stepUp = useStepUp(email, "Confirm and remove");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Remove ${name}`} onClick={open}>
        Remove
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        variant="dangerSolid"
        title={`Remove ${name} from the team?`}
        confirmLabel="Remove member"
        onConfirm={() => run(() => trpc.team.remove.mutate({ merchantId, accountId }))}
      >
        {name} loses access immediately. Apps and tokens that {name} created keep working. We e-mail {name}.
      </ConfirmDialog>
    </>
  );
};
