"use client";
import { type ReactNode, useState } from "react";
import { ButtonLink, SubmitButton } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { sent, textIn, useAct } from "../acts/use-act.tsx";
import { useStepUp } from "../acts/use-step-up.tsx";
import styles from "../portal.module.css";
import type { ClientKind } from "./registration-command.ts";
import { ScopeChoice } from "./scope-choice.tsx";
import { TokenOnce } from "./token-once.tsx";

export type TokenWish = { label: string; uses: number; ttlSeconds: number; scopes: string[] };

export type TokenFormProps = {
  /** what each scope that it may allow lets its holder do */
  scopes: readonly (readonly [string, string])[];
  /** of POST /oauth/register */
  url: string;
  /** of who is signed in */
  email: string;
};

const hourSeconds = 3600;
const lives = [
  [hourSeconds, "1 hour"],
  [24 * hourSeconds, "1 day"],
  [7 * 24 * hourSeconds, "7 days"],
  [30 * 24 * hourSeconds, "30 days"],
  [90 * 24 * hourSeconds, "90 days"],
] as const;

/** Makes an initial access token. What was typed survives a proof that is asked for on the way. */
export const TokenForm = ({
  kind,
  label,
  scopes,
  url,
  email,
  listHref,
  create,
  children,
}: TokenFormProps & {
  kind: ClientKind;
  label: { name: string; hint: string };
  listHref: string;
  create: (wish: TokenWish, form: FormData) => Promise<{ token: string }>;
  /** further fields */
  children?: ReactNode;
}) => {
  const stepUp = useStepUp(email, "Confirm and make");
  const { isBusy, problem, notice, perform } = useAct(stepUp.asks);
  const [made, setMade] = useState<{ token: string; scopes: string[] } | null>(null);
  if (made) return <TokenOnce made={{ ...made, kind, url }} doneHref={listHref} />;
  const fields = problem?.fields ?? {};
  return (
    <>
      <form
        className={`card ${styles.form} ${styles.box}`}
        onSubmit={(event) => {
          const form = sent(event);
          const wish = {
            label: textIn(form, "label"),
            uses: Number(form.get("uses")),
            ttlSeconds: Number(form.get("ttl")),
            scopes: form.getAll("scope").map(String),
          };
          return perform(async () => setMade({ ...(await create(wish, form)), scopes: wish.scopes }));
        }}
      >
        <Field label={label.name} name="label" required maxLength={100} autoComplete="off" hint={label.hint} />
        <div className={styles.pair}>
          <Select label="Expires after" name="ttl" defaultValue={24 * hourSeconds}>
            {lives.map(([seconds, words]) => (
              <option key={seconds} value={seconds}>
                {words}
              </option>
            ))}
          </Select>
          <Field
            label="Uses"
            name="uses"
            type="number"
            required
            min={1}
            max={1000}
            defaultValue={1}
            hint="Each registration takes one."
            error={fields["/uses"] ?? null}
          />
        </div>
        <ScopeChoice legend="Widest scope" scopes={scopes} />
        {children}
        {fields["/uses"] ? null : notice}
        <div className={styles.acts}>
          <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
            Make token
          </SubmitButton>
          <ButtonLink href={listHref} variant="quiet">
            Cancel
          </ButtonLink>
        </div>
      </form>
      {stepUp.dialog}
    </>
  );
};
