"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { deviceName } from "#server/kernel/text/device-name.ts";
import { setPreferenceCookie } from "../../layout/preference-cookie.ts";
import { submittedForm, textField } from "../../portal/acts/use-act.tsx";
import portal from "../../portal/portal.module.css";
import { SubmitButton } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "../second-factor/second-factor.module.css";
import { acceptWithPasskey, acceptWithPassword, type InvitationResult } from "./send-invitation.ts";

type Method = "passkey" | "password";
type Problem = { field: "password" | null; message: string };

/** A person without an account chooses a name, and a passkey or a password. */
export const NewOperatorForm = ({ token, email }: { token: string; email: string }) => {
  const [method, setMethod] = useState<Method>("passkey");
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const passkeyTexts = useTranslations("passkey");

  const accept = async (form: FormData) => {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(null);
    const person = { token, name: textField(form, "name") };
    const result: InvitationResult =
      method === "passkey"
        ? await acceptWithPasskey(person, { passkeyName: deviceName(navigator.userAgent) ?? "Passkey", passkeyTexts })
        : await acceptWithPassword(person, String(form.get("password") ?? ""));
    if (result.kind === "accepted") {
      if (method === "passkey") setPreferenceCookie("passkey", "1");
      return window.location.assign(result.returnTo);
    }
    setProblem({ field: result.code.startsWith("password_") ? "password" : null, message: result.message });
    setIsBusy(false);
  };

  return (
    <form className={styles.part} onSubmit={(event) => accept(submittedForm(event))}>
      <Field label="E-mail" name="email" type="email" value={email} readOnly autoComplete="username" />
      <Field
        label="Name"
        name="name"
        required
        maxLength={80}
        autoComplete="name"
        hint="Other operators see this name."
      />
      <MethodChoice method={method} onChange={setMethod} />
      {method === "password" ? (
        <Field
          label="Password"
          name="password"
          type="password"
          required
          maxLength={1_000}
          autoComplete="new-password"
          hint="12 to 128 characters. A long, uncommon password is best."
          error={problem?.field === "password" ? problem.message : null}
        />
      ) : null}
      {problem && problem.field === null ? (
        <Notice tone="bad" isLive>
          {problem.message}
        </Notice>
      ) : null}
      <SubmitButton variant="primary" isWide aria-busy={isBusy || undefined}>
        Accept invitation
      </SubmitButton>
    </form>
  );
};

const MethodChoice = ({ method, onChange }: { method: Method; onChange: (method: Method) => void }) => (
  <fieldset className={portal.group}>
    <legend>How you sign in</legend>
    <Choice
      type="radio"
      name="method"
      value="passkey"
      checked={method === "passkey"}
      onChange={() => onChange("passkey")}
    >
      Passkey: with your fingerprint, face or PIN
    </Choice>
    <Choice
      type="radio"
      name="method"
      value="password"
      checked={method === "password"}
      onChange={() => onChange("password")}
    >
      Password, and a code from an authenticator app
    </Choice>
  </fieldset>
);
