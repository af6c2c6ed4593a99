"use client";
import { useTranslations } from "use-intl";
import { Choice } from "../ui/choice.tsx";
import { NewPasswordField } from "./new-password-field.tsx";
import styles from "./sign-up.module.css";

export type Method = "passkey" | "password";

/** The choice of passkey or password. The stylesheet shows the fields of the chosen method, without JavaScript. */
export const MethodFields = ({
  onlyMethod,
  initial,
  error,
}: {
  onlyMethod: Method | null;
  initial: Method;
  /** the error of the password */
  error: string | null;
}) => {
  const t = useTranslations("sign-up");
  const chosen = onlyMethod ?? initial;
  return (
    <div className={styles.method}>
      {onlyMethod ? (
        <>
          <input type="hidden" name="method" value={onlyMethod} />
          <p className="muted small">{t(onlyMethod === "passkey" ? "passkeyNeeded" : "passwordNeeded")}</p>
        </>
      ) : (
        <fieldset className={styles.choices}>
          <legend>{t("method")}</legend>
          {(["passkey", "password"] as const).map((method) => (
            <Choice key={method} type="radio" name="method" value={method} defaultChecked={chosen === method}>
              {t(method)}
            </Choice>
          ))}
        </fieldset>
      )}
      {onlyMethod === "password" ? null : <p className={`muted small ${styles.ofPasskey}`}>{t("passkeyHint")}</p>}
      {onlyMethod === "passkey" ? null : (
        <div className={styles.ofPassword}>
          <NewPasswordField error={error} />
        </div>
      )}
    </div>
  );
};
