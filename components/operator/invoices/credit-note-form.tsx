"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import type { OperatorCreditPreview, OperatorInvoice } from "#server/trpc/operator/billing/operator-invoice-views.ts";
import type { Reader } from "../../format/reader.ts";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField, useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { readAmount } from "../../portal/forms/amount-field.tsx";
import styles from "../../portal/portal.module.css";
import { Button, ButtonLink, SubmitButton } from "../../ui/button.tsx";
import { Select } from "../../ui/field/field.tsx";
import { CreditNotePreview } from "./credit-note-preview.tsx";
import { CreditedLines } from "./credited-lines.tsx";

type Props = { invoice: OperatorInvoice; email: string; reader: Reader };
type Wanted = "all" | { lineId: string; amountMinor: number }[];

/** Previews the credit note for the entered amounts, and creates it after a confirmation. */
export const CreditNoteForm = ({ invoice, email, reader }: Props) => {
  const [scope, setScope] = useState<"all" | "lines">("all");
  const { isBusy, notice, stepUp, preview, submit, change } = useCreditNote({ invoice, email, reader, scope });
  return (
    <form className={`card ${styles.form} ${styles.box}`} onSubmit={submit}>
      <Select
        label="Credit"
        name="scope"
        value={scope}
        disabled={preview !== null}
        onChange={(event) => setScope(event.currentTarget.value === "lines" ? "lines" : "all")}
      >
        <option value="all">The whole remaining amount</option>
        <option value="lines">An amount for each line</option>
      </Select>
      {scope === "lines" ? <CreditedLines invoice={invoice} reader={reader} isDisabled={preview !== null} /> : null}
      {preview ? (
        <>
          <CreditNotePreview note={preview.note} currency={invoice.currency} reader={reader} />
          <ReasonField label="Reason (shown on the credit note)" />
        </>
      ) : null}
      {notice}
      <div className={styles.acts}>
        <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
          {preview ? "Create credit note" : "Preview"}
        </SubmitButton>
        {preview ? <Button onClick={change}>Change amounts</Button> : null}
        <ButtonLink href={`/operator/invoices/${invoice.id}`} variant="quiet">
          Cancel
        </ButtonLink>
      </div>
      {stepUp}
    </form>
  );
};

/** The first submission previews the note, the second one creates it. */
const useCreditNote = ({ invoice, email, reader, scope }: Props & { scope: "all" | "lines" }) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and create");
  const { isBusy, notice, perform, showProblem } = useAct(stepUp.handleError);
  const readWanted = useWanted(invoice, reader);
  // One key for the page: a repeated request returns the same credit note.
  const [key] = useState(() => crypto.randomUUID());
  const [preview, setPreview] = useState<{ wanted: Wanted; note: OperatorCreditPreview } | null>(null);
  const create = (lines: Wanted, reason: string) =>
    perform(async () => {
      const request = { invoiceId: invoice.id, lines, reason, key };
      const { creditNoteId } = await trpc.operatorInvoices.credit.mutate(request);
      router.push(`/operator/invoices/${creditNoteId}`);
      router.refresh();
    });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (preview) return create(preview.wanted, textField(form, "reason"));
    const wanted = scope === "all" ? scope : readWanted(form);
    if (typeof wanted === "object" && "problem" in wanted) return showProblem({ message: wanted.problem, fields: {} });
    return perform(async () => {
      const note = await trpc.operatorInvoices.previewCredit.query({ invoiceId: invoice.id, lines: wanted });
      setPreview({ wanted, note });
    });
  };
  return { isBusy, notice, stepUp: stepUp.dialog, preview, submit, change: () => setPreview(null) };
};

/** Reads the typed amounts. Fields without a text aren't credited. */
const useWanted = (invoice: OperatorInvoice, { locale }: Reader) => {
  const amounts = useTranslations("amounts");
  return (form: FormData): Exclude<Wanted, "all"> | { problem: string } => {
    const wanted: { lineId: string; amountMinor: number }[] = [];
    for (const { id, description } of invoice.lines) {
      const text = textField(form, id);
      if (text === "") continue;
      const read = readAmount(text, { currency: invoice.currency, locale }, amounts);
      if (typeof read === "string") return { problem: `${description}: ${read}` };
      wanted.push({ lineId: id, amountMinor: Number(read) });
    }
    return wanted.length > 0 ? wanted : { problem: "Enter an amount for at least one line." };
  };
};
