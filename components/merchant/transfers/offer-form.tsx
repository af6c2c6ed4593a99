"use client";
import { useRef, useState } from "react";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { useDraft } from "../../portal/forms/use-draft.ts";
import styles from "../../portal/portal.module.css";
import { SubmitButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field/field.tsx";

type Recipient = { id: string; name: string };

/**
 * Offers the merchant's entry to another merchant. The dialog shows the other merchant's name before the offer.
 * @param email of the signed-in member
 */
export const OfferForm = ({ merchantId, email }: { merchantId: string; email: string }) => {
  const form = useRef<HTMLFormElement>(null);
  const draft = useDraft(form, `directory-transfer-${merchantId}`);
  const lookUp = useAct();
  const [recipient, setRecipient] = useState<Recipient>({ id: "", name: "" });
  const stepUp = useStepUp(email, "Confirm and offer");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const error = lookUp.problem?.fields["/toMerchantId"] ?? null;
  return (
    <>
      <form
        ref={form}
        noValidate
        aria-label="Offer the entry"
        className={`card ${styles.form} ${styles.box}`}
        onSubmit={(event) => {
          const id = textField(submittedForm(event), "toMerchantId");
          return lookUp.perform(async () => {
            const { name } = await trpc.entryTransfers.recipient.query({ merchantId, toMerchantId: id });
            setRecipient({ id, name });
            open();
          });
        }}
      >
        <p className="small muted">
          Another merchant can become the owner of this entry. Nothing changes until an owner or admin of that merchant
          accepts your offer.
        </p>
        <Field
          label="Merchant ID"
          name="toMerchantId"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="mch_"
          hint="The ID of the other merchant. It is at the top of that merchant’s dashboard."
          error={error}
        />
        {error ? null : lookUp.notice}
        <div className={styles.acts}>
          <SubmitButton aria-busy={lookUp.isBusy || undefined}>Offer entry</SubmitButton>
        </div>
      </form>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        variant="dangerSolid"
        title={`Offer your entry to ${recipient.name}?`}
        confirmLabel="Send offer"
        effects={offerEffects(recipient)}
        onConfirm={() =>
          run(async () => {
            await trpc.entryTransfers.offer.mutate({ merchantId, toMerchantId: recipient.id });
            draft.clear();
          })
        }
      />
    </>
  );
};

const offerEffects = ({ id, name }: Recipient) => [
  `${name} (${id}) can accept within 14 days. Until then, you can cancel the offer.`,
  `If ${name} accepts, it owns the entry with its ID and its history. You can’t undo this.`,
  "You then get a new entry with a new ID. Your apps and the agents that registered with your tokens move to it.",
  "Payers see the agents of your entry as not verified until you verify a domain for the new entry.",
  "Your software statements and agent tokens are revoked, and your federation entity is removed.",
  "Your payments and mandates aren’t affected.",
];
