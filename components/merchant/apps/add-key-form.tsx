"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { ActForm } from "../../portal/forms/act-form.tsx";
import styles from "../../portal/portal.module.css";
import { SavedKey } from "../../portal/tokens/saved-key.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Notice } from "../../ui/notice.tsx";
import { KeyFields, useChosenKey } from "./key-fields.tsx";

type Props = { clientId: string; jwksUri: string | null; email: string };

/**
 * Adds a key to an app. The current keys stay valid, unless the person invalidates them. If the app's keys come from a
 * URL, the new key replaces the URL.
 */
export const AddKeyForm = ({ clientId, jwksUri, email }: Props) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and add");
  const { isBusy, problem, notice, perform, showProblem } = useAct(stepUp.handleError);
  const key = useChosenKey();
  const [privateJwk, setPrivateJwk] = useState<JsonWebKey | null>(null);
  const appHref = `/merchant/apps/${clientId}`;
  const submit = (form: FormData) => {
    const keyProblem = key.findProblem(form);
    if (keyProblem) return showProblem({ message: keyProblem, fields: { "/jwk": keyProblem } });
    return perform(async () => {
      const chosen = await key.read(form);
      const endsOthers = form.get("others") === "end";
      await trpc.apps.addKey.mutate({ clientId, jwk: chosen.publicJwk, endsOthers });
      if (chosen.privateJwk) setPrivateJwk(chosen.privateJwk);
      else router.push(appHref);
    });
  };
  if (privateJwk) {
    return (
      <div className={styles.form}>
        <Notice tone="good" isLive>
          The key is added.
        </Notice>
        <SavedKey privateJwk={privateJwk} doneHref={appHref} />
      </div>
    );
  }
  const jwkError = problem?.fields["/jwk"] ?? null;
  return (
    <>
      <ActForm
        isBusy={isBusy}
        submitLabel="Add key"
        cancelHref={appHref}
        onSubmit={(event) => submit(submittedForm(event))}
      >
        <KeyFields error={jwkError} />
        {jwksUri ? (
          <Notice tone="note">This key replaces the URL {jwksUri}. Keys from this URL are no longer accepted.</Notice>
        ) : (
          <OthersFields />
        )}
        {jwkError ? null : notice}
      </ActForm>
      {stepUp.dialog}
    </>
  );
};

const OthersFields = () => (
  <fieldset className={styles.group}>
    <legend>What happens to the other keys?</legend>
    <Choice type="radio" name="others" value="keep" defaultChecked>
      They stay valid until I remove them, so that the app keeps working
    </Choice>
    <Choice type="radio" name="others" value="end">
      They become invalid now, and so do all access tokens of the app: choose this if a key has leaked
    </Choice>
  </fieldset>
);
