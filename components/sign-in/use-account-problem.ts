"use client";
import { useTranslations } from "use-intl";

/** The message for the error code of a refusal; null for no code. The code may come from the URL. */
export const useAccountProblem = (): ((code: string | null) => string | null) => {
  const t = useTranslations("account-access");
  const problems: object = t.raw("problems" as "problems.failed");
  return (code) => {
    if (code === null) return null;
    // Not t.has(), which also finds inherited names such as `constructor`.
    return Object.hasOwn(problems, code) ? t(`problems.${code}` as "problems.failed") : t("problems.failed");
  };
};
