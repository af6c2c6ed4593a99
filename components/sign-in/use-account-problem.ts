"use client";
import { useTranslations } from "use-intl";

/** The message for the code of a refusal; null for no code. */
export const useAccountProblem = (): ((code: string | null) => string | null) => {
  const t = useTranslations("account-access");
  return (code) => {
    if (code === null) return null;
    const key = `problems.${code}` as "problems.failed";
    return t.has(key) ? t(key) : t("problems.failed");
  };
};
