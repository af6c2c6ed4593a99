"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField, useAct } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import styles from "./payment-methods.module.css";

type MethodUse = { count: number; names: readonly string[] };
type Method = { id: string; label: string; nickname: string | null; isDefault: boolean; use: MethodUse };
type Props = { method: Method; name: string };

/** What a payer can do with one payment method. @param name the nickname, or the processor's label */
export const MethodActions = (props: Props) => (
  <div className={styles.acts}>
    {props.method.isDefault ? null : <MakeDefault {...props} />}
    <RenameMethod {...props} />
    <RemoveMethod {...props} />
  </div>
);

const MakeDefault = ({ method, name }: Props) => {
  const t = useTranslations("payment-methods");
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const makeDefault = () =>
    perform(async () => {
      await trpc.wallet.setDefaultMethod.mutate({ paymentMethodId: method.id });
      router.refresh();
    });
  return (
    <>
      <Button size="small" aria-label={t("makeDefaultOf", { name })} isBusy={isBusy} onClick={makeDefault}>
        {t("makeDefault")}
      </Button>
      {notice}
    </>
  );
};

const RenameMethod = ({ method: { id, label, nickname }, name }: Props) => {
  const t = useTranslations("payment-methods");
  const { open, dialog, run } = useConfirmDialog();
  const rename = (form: FormData) =>
    run(() => trpc.wallet.renameMethod.mutate({ paymentMethodId: id, name: textField(form, "name") }));
  return (
    <>
      <Button size="small" aria-label={t("renameOf", { name })} onClick={open}>
        {t("rename")}
      </Button>
      <ConfirmDialog
        {...dialog}
        title={t("renameTitle", { label })}
        confirmLabel={t("save")}
        fields={
          <Field
            label={t("name")}
            name="name"
            maxLength={60}
            autoComplete="off"
            defaultValue={nickname ?? ""}
            hint={t("nameHint", { label })}
          />
        }
        onConfirm={rename}
      />
    </>
  );
};

const RemoveMethod = ({ method, name }: Props) => {
  const t = useTranslations("payment-methods");
  const { open, dialog, run } = useConfirmDialog();
  const remove = () => run(() => trpc.wallet.removeMethod.mutate({ paymentMethodId: method.id }));
  return (
    <>
      <Button size="small" variant="danger" aria-label={t("removeOf", { name })} onClick={open}>
        {t("remove")}
      </Button>
      {method.use.count > 0 ? (
        <MethodInUse isOpen={dialog.isOpen} onClose={dialog.onClose} name={name} use={method.use} />
      ) : (
        <ConfirmDialog
          {...dialog}
          title={t("removeTitle", { name })}
          confirmLabel={t("removeIt")}
          cancelLabel={t("keepIt")}
          variant="dangerSolid"
          onConfirm={remove}
        >
          {t("removeText")}
        </ConfirmDialog>
      )}
    </>
  );
};

/** Names the mandates that need the payment method. */
const MethodInUse = ({
  isOpen,
  onClose,
  name,
  use: { count, names },
}: {
  isOpen: boolean;
  onClose: () => void;
  name: string;
  use: MethodUse;
}) => {
  const t = useTranslations("payment-methods");
  const others = count - names.length;
  return (
    <Dialog isOpen={isOpen} onOpenChange={(open) => (open ? undefined : onClose())} title={t("inUseTitle", { name })}>
      <p className="small">{t("inUseText", { count })}</p>
      <ul className="small">
        {names.map((mandate, index) => (
          // Two mandates can have the same client and purpose.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes while it is shown
          <li key={index}>{mandate}</li>
        ))}
        {others > 0 ? <li>{t("others", { count: others })}</li> : null}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>{t("close")}</Button>
        <ButtonLink href="/wallet/mandates">{t("toMandates")}</ButtonLink>
      </DialogActions>
    </Dialog>
  );
};
