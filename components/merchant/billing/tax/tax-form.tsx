"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { normalizeVatNumber, vatNumberProblem } from "#server/kernel/billing/vat-number.ts";
import { trpc } from "../../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../../portal/acts/use-act.tsx";
import { useDraft } from "../../../portal/forms/use-draft.ts";
import styles from "../../../portal/portal.module.css";
import { SubmitButton } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TaxFields, type TaxValues, taxNames } from "./tax-fields.tsx";

type Props = {
  merchantId: string;
  /** version of the details that the page shows */
  version: number;
  values: TaxValues;
  countries: readonly (readonly [code: string, name: string])[];
};

/** The format of the VAT number is checked before anything is sent, and again by the server. */
export const TaxForm = ({ merchantId, version, values, countries }: Props) => {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  // The key contains the version, because a draft of an earlier version would undo later changes.
  const draft = useDraft(form, `tax-details-${merchantId}-${version}`);
  const { isBusy, problem, notice, perform } = useAct();
  const [vatProblem, setVatProblem] = useState<string | null>(null);
  const [isSaved, setIsSaved] = useState(false);
  // Checks a number that was typed before the script ran, or that was kept in this tab.
  useEffect(() => setVatProblem(vatProblemIn(form.current)), []);
  const check = () => {
    setIsSaved(false);
    setVatProblem(vatProblemIn(form.current));
  };
  const save = (data: FormData) => {
    const found = vatProblemIn(form.current);
    setVatProblem(found);
    if (found !== null) return focusField(form.current, "vatNumber");
    return perform(async () => {
      setIsSaved(false);
      try {
        await trpc.merchantTax.save.mutate({ merchantId, seenVersion: version, ...readTaxValues(data) });
      } finally {
        router.refresh();
      }
      draft.clear();
      setIsSaved(true);
    });
  };
  const errors = { ...problem?.fields, ...(vatProblem === null ? {} : { "/vatNumber": vatProblem }) };
  return (
    <form
      ref={form}
      noValidate
      aria-label="Tax details"
      className={`card ${styles.form} ${styles.box}`}
      onBlur={check}
      // The error is removed while the person types. If the click on the button removed it, the button would move away
      // from the pointer.
      onInput={() => (vatProblem === null ? null : check())}
      onSubmit={(event) => save(submittedForm(event))}
    >
      <TaxFields values={values} countries={countries} errors={errors} />
      {Object.keys(problem?.fields ?? {}).length > 0 ? null : notice}
      {isSaved ? (
        <Notice tone="good" isLive>
          Saved. Invoices that are already issued don’t change.
        </Notice>
      ) : null}
      <div className={styles.acts}>
        <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
          Save tax details
        </SubmitButton>
      </div>
    </form>
  );
};

const focusField = (form: HTMLFormElement | null, name: string): void => {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
};

const readTaxValues = (data: FormData): TaxValues =>
  Object.fromEntries(taxNames.map((name) => [name, textField(data, name)])) as TaxValues;

const vatProblemIn = (form: HTMLFormElement | null): string | null => {
  if (form === null) return null;
  const { vatNumber, country } = readTaxValues(new FormData(form));
  if (vatNumber === "") return null;
  return vatNumberProblem(normalizeVatNumber(vatNumber, country), country);
};
