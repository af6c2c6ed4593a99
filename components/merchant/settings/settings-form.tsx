"use client";
import type { FormEvent, ReactNode, RefObject } from "react";
import type { SettingName } from "#server/merchants/rules/settings.ts";
import { submittedForm } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { SubmitButton } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { settingLabels } from "./setting-texts.ts";
import type { useSettingsForm } from "./use-settings-form.ts";

type SettingsFormProps = {
  form: RefObject<HTMLFormElement | null>;
  /** the name of the form for screen readers, because the page has several forms */
  label: string;
  state: ReturnType<typeof useSettingsForm>;
  submitLabel: string;
  children: ReactNode;
};

/** The frame of a form of the settings page, with its result. */
export const SettingsForm = ({ form, label, state, submitLabel, children }: SettingsFormProps) => {
  const { isBusy, problem, notice, clashes, isSaved, submit, onChange } = state;
  const isAtField = Object.keys(problem?.fields ?? {}).length > 0;
  return (
    <form
      ref={form}
      noValidate
      aria-label={label}
      className={`card ${styles.form} ${styles.box}`}
      onChange={onChange}
      onSubmit={(event: FormEvent<HTMLFormElement>) => submit(submittedForm(event))}
    >
      {children}
      {isAtField ? null : notice}
      {clashes.length > 0 ? (
        <Notice tone="warn">
          Someone else saved these values. If you save, your entries replace them:
          <ul>
            {clashes.map(({ name, text }) => (
              <li key={name}>
                {settingLabels[name as SettingName]}: {text === "" ? "not set" : text}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {isSaved ? (
        <Notice tone="good" isLive>
          Saved.
        </Notice>
      ) : null}
      <div className={styles.acts}>
        <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
          {submitLabel}
        </SubmitButton>
      </div>
    </form>
  );
};
