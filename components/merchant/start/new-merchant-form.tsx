"use client";
import { useRef } from "react";
import { openPage } from "../../portal/acts/open-page.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, useAct } from "../../portal/acts/use-act.tsx";
import { ActForm } from "../../portal/forms/act-form.tsx";
import { useDraft } from "../../portal/forms/use-draft.ts";
import { tabStorage } from "../../ui/tab-storage.ts";
import { selectMerchant } from "../select-merchant.ts";
import { DetailFields, type DetailValues, readDetails } from "../settings/detail-fields.tsx";
import type { DetailOptions } from "../settings/detail-options.ts";
import { useProposedCurrency } from "./use-proposed-currency.ts";

type NewMerchantFormProps = {
  accountId: string;
  initial: DetailValues;
  options: DetailOptions;
  cancelHref: string;
  /** what happens after the form is sent */
  next: string;
  /** the page that opens after the registration */
  opens: string;
};

/**
 * The key of the request. The same details have the same key, also after a reload: if the response was lost, repeating
 * the request doesn't create a second merchant.
 */
const useRequestKey = (storageKey: string) => {
  // If the browser can't store the key, only this page keeps it.
  const last = useRef<string | null>(null);
  return {
    of: (details: DetailValues): string => {
      const text = JSON.stringify(details);
      const [key, kept] = JSON.parse(tabStorage.read(storageKey) ?? last.current ?? "[]") as string[];
      if (key !== undefined && kept === text) return key;
      const fresh = crypto.randomUUID();
      last.current = JSON.stringify([fresh, text]);
      tabStorage.write(storageKey, last.current);
      return fresh;
    },
    clear: () => tabStorage.remove(storageKey),
  };
};

/** Registers a merchant. */
export const NewMerchantForm = ({ accountId, initial, options, cancelHref, next, opens }: NewMerchantFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const draft = useDraft(form, `new-merchant-${accountId}`);
  const requestKey = useRequestKey(`new-merchant-key-${accountId}`);
  useProposedCurrency(form);
  const { isBusy, problem, notice, perform } = useAct();
  const errors = problem?.fields ?? {};
  const submit = (details: DetailValues) =>
    perform(async () => {
      const { merchantId } = await trpc.merchants.create.mutate({ key: requestKey.of(details), ...details });
      draft.clear();
      requestKey.clear();
      selectMerchant(merchantId);
      await openPage(opens);
    });
  return (
    <ActForm
      ref={form}
      noValidate
      isBusy={isBusy}
      submitLabel="Start selling"
      cancelHref={cancelHref}
      onSubmit={(event) => submit(readDetails(submittedForm(event)))}
    >
      <DetailFields values={initial} options={options} errors={errors} />
      {Object.keys(errors).length > 0 ? null : notice}
      <p className="small muted">{next}</p>
    </ActForm>
  );
};
