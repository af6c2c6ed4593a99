"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import styles from "../../portal/portal.module.css";
import { Button, SubmitButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Changes the e-mail address: first the new address, then the code that was sent to it. */
export const EmailForm = ({
  email,
  waiting,
}: {
  email: string;
  /** the change whose code isn't entered yet */
  waiting: { email: string; expires: string } | null;
}) => {
  const t = useTranslations("profile");
  const [changed, setChanged] = useState<string | null>(null);
  return (
    <div className={`card ${styles.box} ${styles.form}`}>
      <p className="small">{t("emailText")}</p>
      <p>
        <span className="small muted">{t("currentEmail")}</span>
        <br />
        <b className={styles.words}>{email}</b>
      </p>
      {changed === null ? null : (
        <Notice tone="good" isLive>
          {t("changed", { email: changed })}
        </Notice>
      )}
      {waiting ? (
        <CodeForm waiting={waiting} onChanged={setChanged} />
      ) : (
        <NewEmailForm email={email} onBegun={() => setChanged(null)} />
      )}
    </div>
  );
};

const NewEmailForm = ({ email, onBegun }: { email: string; onBegun: () => void }) => {
  const t = useTranslations("profile");
  const router = useRouter();
  const stepUp = useStepUp(email, t("confirmAndSend"));
  const act = useAct(stepUp.handleError);
  const begin = (form: FormData) =>
    act.perform(async () => {
      await trpc.profile.beginEmailChange.mutate({ email: textField(form, "new_email") });
      onBegun();
      router.refresh();
    });
  const problem = act.problem?.fields["/email"];
  return (
    <>
      <form className={styles.form} onSubmit={(event) => begin(submittedForm(event))}>
        <Field
          label={t("newEmail")}
          name="new_email"
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          error={problem}
        />
        {problem ? null : act.notice}
        <div className={styles.acts}>
          <SubmitButton aria-busy={act.isBusy || undefined}>{t("sendCode")}</SubmitButton>
        </div>
      </form>
      {stepUp.dialog}
    </>
  );
};

const CodeForm = ({
  waiting,
  onChanged,
}: {
  waiting: { email: string; expires: string };
  onChanged: (email: string) => void;
}) => {
  const t = useTranslations("profile");
  const router = useRouter();
  const act = useAct();
  const confirm = (form: FormData) =>
    act.perform(async () => {
      const { email } = await trpc.profile.confirmEmailCode.mutate({ code: textField(form, "code") });
      onChanged(email);
      router.refresh();
    });
  const cancel = () =>
    act.perform(async () => {
      await trpc.profile.cancelEmailChange.mutate();
      router.refresh();
    });
  const problem = act.problem?.fields["/code"];
  return (
    <form className={styles.form} onSubmit={(event) => confirm(submittedForm(event))}>
      <Notice tone="note" isLive>
        {t("codeSent", { email: waiting.email, expires: waiting.expires })}
      </Notice>
      <Field
        label={t("code")}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={20}
        hint={t("codeHint")}
        error={problem}
      />
      {problem ? null : act.notice}
      <div className={styles.acts}>
        <SubmitButton variant="primary" aria-busy={act.isBusy || undefined}>
          {t("confirmCode")}
        </SubmitButton>
        <Button onClick={cancel}>{t("cancel")}</Button>
      </div>
    </form>
  );
};
