"use client";
import { useTranslations } from "use-intl";
import { Field } from "../ui/field/field.tsx";

export const NewPasswordField = ({ error }: { error: string | null }) => {
  const t = useTranslations("sign-up");
  return (
    <Field
      label={t("password")}
      name="password"
      type="password"
      autoComplete="new-password"
      maxLength={1000}
      hint={t("passwordHint")}
      error={error}
    />
  );
};
