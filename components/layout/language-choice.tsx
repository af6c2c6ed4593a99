"use client";
import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { type Language, languageNames, languages } from "#server/kernel/messages/languages.ts";
import styles from "./language-choice.module.css";

/**
 * Switches the language of a payer-facing page. It is a native form; with JavaScript, the page keeps what was typed.
 * @param label name of the group
 * @param returnTo path of the page
 */
export const LanguageChoice = ({
  label,
  current,
  returnTo,
}: {
  label: string;
  current: Language;
  returnTo: string;
}) => {
  const router = useRouter();
  const choose = async (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (!(submitter instanceof HTMLButtonElement)) return;
    event.preventDefault();
    // The response's redirect isn't followed. The request only stores the choice in the cookie and the account.
    const body = new URLSearchParams({ language: submitter.value });
    await fetch("/language", { method: "POST", body, redirect: "manual" });
    router.refresh();
  };
  return (
    <form method="post" action="/language" className={styles.choice} aria-label={label} onSubmit={choose}>
      <input type="hidden" name="return_to" value={returnTo} />
      {languages.map((language) => (
        <button
          key={language}
          type="submit"
          name="language"
          value={language}
          lang={language}
          className={styles.language}
          aria-current={language === current ? "true" : undefined}
        >
          {languageNames[language]}
        </button>
      ))}
    </form>
  );
};
