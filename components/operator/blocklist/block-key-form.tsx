"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { isPublic } from "#server/kernel/crypto/private-members.ts";
import type { OperatorKeyUse } from "#server/trpc/operator/blocklist/operator-blocklist-views.ts";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { ActForm } from "../../portal/forms/act-form.tsx";
import { TextArea } from "../../ui/field/field.tsx";
import { KeyUse } from "./key-use.tsx";

const list = "/operator/blocklist";

const privateProblem =
  "This is a private key, so it wasn’t sent. Paste only the public key, without any of the private members d, p, q, dp, dq, qi, oth, k or priv.";

/** Whether a text contains a private key and must not leave the browser. */
const containsPrivateKey = (text: string): boolean => {
  if (text.includes("PRIVATE KEY-----")) return true;
  try {
    const value: unknown = JSON.parse(text);
    const keys: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "keys") : null;
    const all = Array.isArray(keys) ? (keys as unknown[]) : [value];
    return all.some((key) => typeof key === "object" && key !== null && !isPublic(key));
  } catch {
    return false;
  }
};

const labelOf = (use: OperatorKeyUse | null): string => {
  if (use === null) return "Check key";
  return use.isBlocked ? "See it in the list" : "Block key";
};

/** Checks a key first, shows which clients have it, and blocks it with a reason. */
export const BlockKeyForm = ({ email }: { email: string }) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and block");
  const { isBusy, notice, problem, perform, showProblem } = useAct(stepUp.handleError);
  const [use, setUse] = useState<OperatorKeyUse | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = submittedForm(event);
    const key = textField(form, "key");
    if (containsPrivateKey(key)) return showProblem({ message: privateProblem, fields: { "/key": privateProblem } });
    return perform(async () => {
      if (use === null) return setUse(await trpc.operatorBlocklist.check.mutate({ key }));
      if (use.isBlocked) return router.push(`${list}?q=${use.thumbprint}`);
      await trpc.operatorBlocklist.block.mutate({ key: use.thumbprint, reason: textField(form, "reason") });
      router.push(list);
      router.refresh();
    });
  };
  const fieldProblem = problem?.fields["/key"];
  return (
    <>
      <ActForm
        isBusy={isBusy}
        submitLabel={labelOf(use)}
        cancelHref={list}
        isDangerous={use !== null && !use.isBlocked}
        onSubmit={submit}
      >
        <TextArea
          label="Public JWK or thumbprint"
          name="key"
          rows={6}
          required
          maxLength={8000}
          spellCheck={false}
          hint="A JWK as JSON, or the SHA-256 thumbprint of RFC 7638 (43 characters)."
          error={fieldProblem}
          onChange={() => {
            setUse(null);
            showProblem(null);
          }}
        />
        {use ? <KeyUse use={use} /> : null}
        {use && !use.isBlocked ? <ReasonField /> : null}
        {fieldProblem ? null : notice}
      </ActForm>
      {stepUp.dialog}
    </>
  );
};
