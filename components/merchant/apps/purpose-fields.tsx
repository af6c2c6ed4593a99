"use client";
import { useState } from "react";
import styles from "../../portal/portal.module.css";
import { ScopeChoice } from "../../portal/tokens/scope-choice.tsx";
import { Choice } from "../../ui/choice.tsx";
import { type AppPurpose, appPurposes } from "./app-purposes.ts";

type Props = { scopes: readonly (readonly [string, string])[]; error: string | null };

/** Asks for the purpose of the app, and proposes its scopes. Every scope can be changed. */
export const PurposeFields = ({ scopes, error }: Props) => {
  const [purpose, setPurpose] = useState<AppPurpose | null>(null);
  return (
    <>
      <fieldset className={styles.group}>
        <legend>What does the app do?</legend>
        {appPurposes.map((option) => (
          <Choice key={option.id} type="radio" name="purpose" required onChange={() => setPurpose(option)}>
            {option.label}
          </Choice>
        ))}
      </fieldset>
      {purpose ? (
        <ScopeChoice key={purpose.id} legend="Scopes" scopes={scopes} selected={purpose.scopes} error={error} />
      ) : null}
    </>
  );
};
