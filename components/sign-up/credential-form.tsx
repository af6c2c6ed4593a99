"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Link } from "#components/ui/link.tsx";
import { deviceName } from "#server/kernel/text/device-name.ts";
import { setPreferenceCookie } from "../layout/preference-cookie.ts";
import { createPasskey, PasskeyProblem } from "../sign-in/passkey.ts";
import { readResult, sendBody } from "../sign-in/send-form.ts";
import type { SignInProblem, SignInResult } from "../sign-in/send-sign-in.ts";
import { useNativeForm } from "../sign-in/use-native-form.ts";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { NewPasswordField } from "./new-password-field.tsx";
import styles from "./sign-up.module.css";
import { useSignUpMessage } from "./use-sign-up-message.ts";

/**
 * Creates the passkey after the address is verified. The browser asks for it immediately, unless `error` is set. If a
 * password is allowed, the person can choose one instead.
 */
export const CredentialForm = ({ error, mayUsePassword }: { error: string | null; mayUsePassword: boolean }) => {
  const t = useTranslations("sign-up");
  const { problem, isBusy, create } = useNewPasskey();
  const hasStarted = useRef(error !== null);
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    void create();
  }, [create]);
  return (
    <>
      <div className={`${styles.form} ${styles.needsScript}`}>
        <Button variant="primary" isWide isBusy={isBusy} onClick={create}>
          <Icon name="key" />
          {t("createPasskey")}
        </Button>
        {problem ? <CredentialProblem problem={problem} mayUsePassword={mayUsePassword} /> : null}
      </div>
      {mayUsePassword ? <PasswordInstead error={error} /> : null}
    </>
  );
};

const CredentialProblem = ({ problem, mayUsePassword }: { problem: SignInProblem; mayUsePassword: boolean }) => {
  const t = useTranslations("sign-up");
  const passkey = useTranslations("passkey");
  const messageOf = useSignUpMessage();
  const isUnused = problem instanceof PasskeyProblem && problem.text === "notUsed";
  return (
    <Notice tone={isUnused ? "note" : "bad"} isLive>
      {problem === "address_taken"
        ? t.rich("addressTaken", { link: (text) => <Link href="/sign-in">{text}</Link> })
        : isUnused
          ? t(mayUsePassword ? "notCreated" : "notCreatedOnly")
          : problem instanceof PasskeyProblem
            ? passkey(problem.text)
            : messageOf(problem)}
    </Notice>
  );
};

const useNewPasskey = () => {
  const [problem, setProblem] = useState<SignInProblem | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const create = useCallback(async () => {
    setIsBusy(true);
    setProblem(null);
    const result = await requestPasskey();
    if (result.kind === "next") {
      setPreferenceCookie("passkey", "1");
      window.location.assign(result.path);
      return;
    }
    setProblem(result.code);
    setIsBusy(false);
  }, []);
  return { problem, isBusy, create };
};

const requestPasskey = async (): Promise<SignInResult> => {
  try {
    const challenge = await fetch("/sign-up/passkey/challenge", { method: "POST" });
    if (!challenge.ok) return await orNextStep(challenge);
    const attestation = await createPasskey(await challenge.json());
    return await sendBody("/sign-up/credential/passkey", {
      attestation,
      name: deviceName(navigator.userAgent) ?? "Passkey",
    });
  } catch (error) {
    return error instanceof PasskeyProblem
      ? { kind: "refused", code: error }
      : { kind: "refused", code: "unreachable", problems: {} };
  }
};

const endedCodes = ["sign_up_gone", "sign_up_not_ready"];

/** If the sign-up is gone or needs another step, the next page shows its state. */
const orNextStep = async (refusal: Response): Promise<SignInResult> => {
  const result = await readResult(refusal);
  const hasEnded = result.kind === "refused" && endedCodes.includes(result.code);
  return hasEnded ? { kind: "next", path: "/sign-up/verify" } : result;
};

const PasswordInstead = ({ error }: { error: string | null }) => {
  const t = useTranslations("sign-up");
  const messageOf = useSignUpMessage();
  const { problem, submit } = useNativeForm(error);
  return (
    <details className={styles.instead} open={error !== null}>
      <summary>{t("passwordInstead")}</summary>
      <form className={styles.form} method="post" action="/sign-up/credential/password" noValidate onSubmit={submit}>
        <NewPasswordField error={problem ? messageOf(problem) : null} />
        <SubmitButton isWide>{t("passwordSubmit")}</SubmitButton>
      </form>
    </details>
  );
};
