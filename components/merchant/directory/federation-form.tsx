"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import { useDraft } from "../../portal/forms/use-draft.ts";
import styles from "../../portal/portal.module.css";
import { SubmitButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Registers a federation entity, or registers it again to accept its new keys. @param entityId null: none yet */
export const FederationForm = ({ merchantId, entityId }: { merchantId: string; entityId: string | null }) => {
  const form = useRef<HTMLFormElement>(null);
  const router = useRouter();
  const { isBusy, problem, notice, perform } = useAct();
  const draft = useDraft(form, `directory-federation-${merchantId}`);
  const [registered, setRegistered] = useState<{ entityId: string; keyCount: number } | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const id = textField(submittedForm(event), "entityId");
    return perform(async () => {
      setRegistered(null);
      setRegistered(await trpc.entryFederation.register.mutate({ merchantId, entityId: id }));
      draft.clear();
      router.refresh();
    });
  };
  const error = problem?.fields["/entity_id"] ?? problem?.fields["/entityId"] ?? null;
  return (
    <form
      ref={form}
      noValidate
      aria-label="Register a federation entity"
      className={`card ${styles.form} ${styles.box}`}
      onSubmit={submit}
    >
      <Field
        label="Entity identifier"
        name="entityId"
        type="url"
        autoComplete="off"
        defaultValue={entityId ?? ""}
        placeholder="https://shop.example"
        hint="An https address on a verified domain. The directory fetches the entity’s configuration there."
        error={error}
      />
      {error ? null : notice}
      {registered && entityId !== null ? (
        <Notice tone="good" isLive>
          {`Registered ${registered.entityId} with ${registered.keyCount === 1 ? "1 key" : `${registered.keyCount} keys`}.`}
        </Notice>
      ) : null}
      <div className={styles.acts}>
        <SubmitButton aria-busy={isBusy || undefined}>
          {entityId === null ? "Register entity" : "Register again"}
        </SubmitButton>
      </div>
    </form>
  );
};
