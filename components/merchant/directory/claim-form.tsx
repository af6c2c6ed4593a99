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

/** Claims a domain. The list of domains then shows what to publish. */
export const ClaimForm = ({ merchantId }: { merchantId: string }) => {
  const form = useRef<HTMLFormElement>(null);
  const router = useRouter();
  const { isBusy, problem, notice, perform } = useAct();
  const draft = useDraft(form, `directory-domain-${merchantId}`);
  const [claimed, setClaimed] = useState<{ domain: string; isNew: boolean } | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const domain = textField(submittedForm(event), "domain");
    return perform(async () => {
      setClaimed(null);
      setClaimed(await trpc.merchantDirectory.claim.mutate({ merchantId, domain }));
      draft.clear();
      form.current?.reset();
      router.refresh();
    });
  };
  const error = problem?.fields["/domain"] ?? null;
  return (
    <form
      ref={form}
      noValidate
      aria-label="Claim a domain"
      className={`card ${styles.form} ${styles.box}`}
      onSubmit={submit}
    >
      <Field
        label="Domain"
        name="domain"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="shop.example"
        hint="A domain that you control. You then publish a proof there."
        error={error}
      />
      {error ? null : notice}
      {claimed ? (
        <Notice tone="good" isLive>
          {claimed.isNew
            ? `You claimed ${claimed.domain}. Publish one of its proofs, then choose Check now.`
            : `${claimed.domain} is already in your list.`}
        </Notice>
      ) : null}
      <div className={styles.acts}>
        <SubmitButton aria-busy={isBusy || undefined}>Claim domain</SubmitButton>
      </div>
    </form>
  );
};
