"use client";
import { useTranslations } from "use-intl";

/** The message for the code of a refusal, which may come from the address; null for no code. */
export const useAccountProblem = (): ((code: string | null) => string | null) => {
  const t = useTranslations("account-access");
  const problems: object = t.raw("problems" as "problems.failed");
  return (code) => {
    if (code === null) return null;
    // Not t.has(), which also finds inherited names such as `constructor`.
    return Object.hasOwn(problems, code) ? t(`problems.${code}` as "problems.failed") : t("problems.failed");
  };
};
