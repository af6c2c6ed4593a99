"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { deviceName } from "#server/kernel/text/device-name.ts";
import { setPreferenceCookie } from "../../layout/preference-cookie.ts";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField, useAct } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { createPasskey } from "../../sign-in/passkey.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field } from "../../ui/field/field.tsx";
import { NewRecoveryCodes } from "./new-recovery-codes.tsx";
import styles from "./security.module.css";

/**
 * Creates a passkey in the browser. Its initial name is the name of this device. An account that never had recovery
 * codes also gets its first ones, which stay visible while the list replaces the empty state.
 */
export const AddPasskey = ({ email, isFirst }: { email: string; isFirst: boolean }) => {
  const t = useTranslations("security");
  const router = useRouter();
  const stepUp = useStepUp(email, t("passkeys.confirmAdd"));
  const act = useAct(stepUp.handleError);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const add = () =>
    act.perform(async () => {
      const attestation = await createPasskey(await trpc.passkeys.beginAdding.mutate());
      const name = deviceName(navigator.userAgent) ?? t("passkeys.defaultName");
      const { recoveryCodes } = await trpc.passkeys.add.mutate({ attestation, name });
      setPreferenceCookie("passkey", "1");
      setCodes(recoveryCodes);
      router.refresh();
    });
  const button = (
    <Button variant="primary" isBusy={act.isBusy} onClick={add}>
      {t("passkeys.add")}
    </Button>
  );
  return (
    <div className={styles.add}>
      {isFirst ? (
        <EmptyState title={t("passkeys.emptyTitle")} act={button}>
          {t("passkeys.emptyText")}
        </EmptyState>
      ) : (
        button
      )}
      {act.notice}
      {stepUp.dialog}
      <NewRecoveryCodes codes={codes} email={email} onClose={() => setCodes(null)} />
    </div>
  );
};

type PasskeyProps = { passkeyId: string; name: string; email: string };

export const PasskeyActions = ({
  others,
  ...passkey
}: PasskeyProps & {
  /** the sign-in methods that are left after this passkey is removed */
  others: "password" | "passkeys" | "both" | "none";
}) => (
  <div className={styles.acts}>
    <RenamePasskey {...passkey} />
    <RemovePasskey {...passkey} others={others} />
  </div>
);

const RenamePasskey = ({ passkeyId, name }: PasskeyProps) => {
  const t = useTranslations("security");
  const { open, dialog, run } = useConfirmDialog();
  const rename = (form: FormData) =>
    run(() => trpc.passkeys.rename.mutate({ passkeyId, name: textField(form, "name") }));
  return (
    <>
      <Button size="small" aria-label={t("passkeys.renameNamed", { name })} onClick={open}>
        {t("passkeys.rename")}
      </Button>
      <ConfirmDialog
        {...dialog}
        title={t("passkeys.renameTitle")}
        confirmLabel={t("save")}
        fields={
          <Field
            label={t("passkeys.name")}
            name="name"
            required
            maxLength={60}
            autoComplete="off"
            defaultValue={name}
          />
        }
        onConfirm={rename}
      />
    </>
  );
};

const RemovePasskey = ({
  passkeyId,
  name,
  email,
  others,
}: PasskeyProps & { others: "password" | "passkeys" | "both" | "none" }) => {
  const t = useTranslations("security");
  const stepUp = useStepUp(email, t("passkeys.confirmRemove"));
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const remove = () =>
    run(async () => {
      await trpc.passkeys.remove.mutate({ passkeyId });
      if (others === "password" || others === "none") setPreferenceCookie("passkey", "");
    });
  return (
    <>
      <Button size="small" variant="danger" aria-label={t("passkeys.removeNamed", { name })} onClick={open}>
        {t("passkeys.remove")}
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={t("passkeys.removeTitle", { name })}
        confirmLabel={t("passkeys.removeIt")}
        cancelLabel={t("passkeys.keepIt")}
        variant="dangerSolid"
        onConfirm={remove}
      >
        {t(`passkeys.removeEffect.${others}`)}
      </ConfirmDialog>
    </>
  );
};
