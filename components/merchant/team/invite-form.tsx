"use client";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { invitedText } from "../../format/invited-text.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import styles from "../../portal/portal.module.css";
import { SubmitButton } from "../../ui/button.tsx";
import { ExplainedSelect } from "../../ui/field/explained-select.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { invitableRoles, roleOptions } from "./roles.ts";

/**
 * Invites a person by e-mail. The form keeps the typed text after an error.
 * @param email of the signed-in member
 * @param keepsMail the server keeps e-mail in the operators' outbox instead of sending it
 */
export const InviteForm = ({
  merchantId,
  email,
  keepsMail,
}: {
  merchantId: string;
  email: string;
  keepsMail: boolean;
}) => {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [sent, setSent] = useState<{ to: string | null; count: number }>({ to: null, count: 0 });
  const stepUp = useStepUp(email, "Confirm and invite");
  const { isBusy, problem, notice, perform } = useAct(stepUp.handleError);
  const error = problem?.fields["/email"] ?? null;
  const submit = (data: FormData) => {
    const address = textField(data, "email");
    const role = invitableRoles.find((known) => known === textField(data, "role")) ?? "viewer";
    setSent(({ count }) => ({ to: null, count }));
    return perform(async () => {
      await trpc.team.invite.mutate({ merchantId, email: address, role });
      form.current?.reset();
      setSent(({ count }) => ({ to: address, count: count + 1 }));
      router.refresh();
    });
  };
  return (
    <>
      <form
        ref={form}
        noValidate
        className={`card ${styles.form} ${styles.box}`}
        onSubmit={(event) => submit(submittedForm(event))}
      >
        <div className={styles.pair}>
          <Field label="E-mail" name="email" type="email" required maxLength={254} autoComplete="off" error={error} />
          <ExplainedSelect
            key={sent.count}
            label="Role"
            name="role"
            selected="developer"
            options={roleOptions(invitableRoles)}
          />
        </div>
        {error ? null : notice}
        {sent.to ? (
          <Notice tone="good" isLive>
            {invitedText(sent.to, keepsMail)} The link is valid for 7 days.
          </Notice>
        ) : null}
        <div>
          <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
            Send invitation
          </SubmitButton>
        </div>
      </form>
      {stepUp.dialog}
    </>
  );
};
