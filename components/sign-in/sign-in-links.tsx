"use client";
import { useTranslations } from "use-intl";
import { Link } from "#components/ui/link.tsx";
import styles from "./sign-in-form.module.css";

/** Links to the other ways to sign in. The links contain the page to return to. */
export const SignInLinks = ({ returnTo }: { returnTo: string }) => {
  const t = useTranslations("sign-in");
  const query = new URLSearchParams({ return_to: returnTo });
  return (
    <p className={`small ${styles.links}`}>
      <Link href={`/reset?${query}`}>{t("forgotPassword")}</Link>
      <Link href={`/sign-in/recovery?${query}`}>{t("useRecoveryCode")}</Link>
    </p>
  );
};
