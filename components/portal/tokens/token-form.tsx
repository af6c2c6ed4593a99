"use client";
import { type ReactNode, useState } from "react";
import { Field, Select } from "../../ui/field/field.tsx";
import { submittedForm, textField, useAct } from "../acts/use-act.tsx";
import { useStepUp } from "../acts/use-step-up.tsx";
import { ActForm } from "../forms/act-form.tsx";
import styles from "../portal.module.css";
import { NewToken } from "./new-token.tsx";
import type { ClientKind } from "./registration-command.ts";
import { ScopeChoice } from "./scope-choice.tsx";

export type TokenRequest = { label: string; uses: number; ttlSeconds: number; scopes: string[] };

export type TokenFormProps = {
  /** each scope that the token may allow, with its description */
  scopes: readonly (readonly [string, string])[];
  /** the URL of POST /oauth/register */
  url: string;
  email: string;
  /** the scopes that are selected initially; default: none */
  selected?: readonly string[];
  maxUses?: number;
};

type Props = TokenFormProps & {
  kind: ClientKind;
  label: { name: string; hint: string };
  listHref: string;
  create: (request: TokenRequest, form: FormData) => Promise<{ token: string }>;
  /** more fields of the form */
  children?: ReactNode;
};

const readRequest = (form: FormData): TokenRequest => ({
  label: textField(form, "label"),
  uses: Number(form.get("uses")),
  ttlSeconds: Number(form.get("ttl")),
  scopes: form.getAll("scope").map(String),
});

/** Creates an initial access token. The form keeps its content while the person confirms their identity. */
export const TokenForm = ({ kind, label, url, email, listHref, create, children, maxUses, ...scopeChoice }: Props) => {
  const stepUp = useStepUp(email, "Confirm and create");
  const { isBusy, problem, notice, perform } = useAct(stepUp.handleError);
  const [created, setCreated] = useState<{ token: string; scopes: string[] } | null>(null);
  const submit = (form: FormData) => {
    const request = readRequest(form);
    return perform(async () => setCreated({ ...(await create(request, form)), scopes: request.scopes }));
  };
  if (created) return <NewToken token={{ ...created, kind, url }} doneHref={listHref} />;
  const usesError = problem?.fields["/uses"] ?? null;
  return (
    <>
      <ActForm
        isBusy={isBusy}
        submitLabel="Create token"
        cancelHref={listHref}
        onSubmit={(event) => submit(submittedForm(event))}
      >
        <Field label={label.name} name="label" required maxLength={100} autoComplete="off" hint={label.hint} />
        <LifetimeFields usesError={usesError} maxUses={maxUses} />
        <ScopeChoice legend="Allowed scopes" {...scopeChoice} />
        {children}
        {usesError ? null : notice}
      </ActForm>
      {stepUp.dialog}
    </>
  );
};

const hourSeconds = 3600;
const lifetimes = [
  [hourSeconds, "1 hour"],
  [24 * hourSeconds, "1 day"],
  [7 * 24 * hourSeconds, "7 days"],
  [30 * 24 * hourSeconds, "30 days"],
  [90 * 24 * hourSeconds, "90 days"],
] as const;

type LifetimeFieldsProps = { usesError: string | null; maxUses?: number | undefined };

const LifetimeFields = ({ usesError, maxUses = 1000 }: LifetimeFieldsProps) => (
  <div className={styles.pair}>
    <Select label="Expires after" name="ttl" defaultValue={24 * hourSeconds}>
      {lifetimes.map(([seconds, label]) => (
        <option key={seconds} value={seconds}>
          {label}
        </option>
      ))}
    </Select>
    <Field
      label="Uses"
      name="uses"
      type="number"
      required
      min={1}
      max={maxUses}
      defaultValue={1}
      hint="Each registration counts as one use."
      error={usesError}
    />
  </div>
);
