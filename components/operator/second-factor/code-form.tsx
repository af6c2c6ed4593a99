"use client";
import { useRef } from "react";
import { openPage } from "../../portal/acts/open-page.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import { SubmitButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import styles from "./second-factor.module.css";

/** Asks for a code of the authenticator app, then opens the console. */
export const CodeForm = ({ returnTo, submitLabel }: { returnTo: string; submitLabel: string }) => {
  const { isBusy, problem, perform } = useAct();
  const input = useRef<HTMLInputElement>(null);
  const enter = (form: FormData) =>
    perform(async () => {
      try {
        await trpc.operatorSecondFactor.enter.mutate({ code: textField(form, "code") });
      } catch (error) {
        input.current?.select();
        throw error;
      }
      await openPage(returnTo);
    });
  return (
    <form className={styles.part} onSubmit={(event) => enter(submittedForm(event))}>
      <Field
        ref={input}
        label="Code"
        name="code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        hint="The six digits that the app shows for Paygrant."
        error={problem ? (problem.fields["/code"] ?? problem.message) : null}
      />
      <SubmitButton variant="primary" isWide aria-busy={isBusy || undefined}>
        {submitLabel}
      </SubmitButton>
    </form>
  );
};
