"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { Language } from "#server/kernel/messages/languages.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { SubmitButton } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { resolveTimeZone } from "./resolve-time-zone.ts";

type Option = { value: string; label: string };

type Choices = {
  profile: { displayName: string; language: Language; timeZone: string; currency: string | null };
  languages: readonly Option[];
  timeZones: readonly string[];
  currencies: readonly Option[];
};

/** Changes name, language, time zone and currency. Pages use the new values immediately. */
export const ProfileForm = ({ profile, languages, timeZones, currencies }: Choices) => {
  const t = useTranslations("profile");
  const router = useRouter();
  const act = useAct();
  const [isSaved, setIsSaved] = useState(false);
  const save = (form: FormData) =>
    act.perform(async () => {
      setIsSaved(false);
      await trpc.profile.update.mutate({
        displayName: textField(form, "name"),
        language: textField(form, "language") as Language,
        timeZone: resolveTimeZone(textField(form, "time_zone"), timeZones),
        currency: textField(form, "currency"),
      });
      setIsSaved(true);
      router.refresh();
    });
  const fields = act.problem?.fields ?? {};
  const isAtField = Object.keys(fields).length > 0;
  return (
    <form
      className={`card ${styles.box} ${styles.form}`}
      onSubmit={(event) => save(submittedForm(event))}
      onChange={() => setIsSaved(false)}
    >
      <ProfileFields
        profile={profile}
        languages={languages}
        timeZones={timeZones}
        currencies={currencies}
        fields={fields}
      />
      {isAtField ? null : act.notice}
      {isSaved ? (
        <Notice tone="good" isLive>
          {t("saved")}
        </Notice>
      ) : null}
      <div className={styles.acts}>
        <SubmitButton variant="primary" aria-busy={act.isBusy || undefined}>
          {t("save")}
        </SubmitButton>
      </div>
    </form>
  );
};

const ProfileFields = ({
  profile,
  languages,
  timeZones,
  currencies,
  fields,
}: Choices & {
  /** messages by JSON pointer */
  fields: Readonly<Record<string, string>>;
}) => {
  const t = useTranslations("profile");
  return (
    <>
      <Field
        label={t("name")}
        name="name"
        autoComplete="name"
        required
        maxLength={80}
        defaultValue={profile.displayName}
        error={fields["/displayName"]}
      />
      <div className={styles.pair}>
        <Select label={t("language")} name="language" defaultValue={profile.language}>
          {languages.map(({ value, label }) => (
            <option key={value} value={value} lang={value}>
              {label}
            </option>
          ))}
        </Select>
        <Select label={t("currency")} name="currency" defaultValue={profile.currency ?? ""}>
          <option value="">{t("currencyAuto")}</option>
          {currencies.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      <Field
        label={t("timeZone")}
        name="time_zone"
        list="time-zones"
        autoComplete="off"
        spellCheck={false}
        required
        maxLength={64}
        defaultValue={profile.timeZone}
        hint={t("timeZoneHint")}
        error={fields["/timeZone"]}
      />
      <datalist id="time-zones">
        {timeZones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
};
