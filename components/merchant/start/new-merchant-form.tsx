"use client";
import { useRef } from "react";
import { setPreferenceCookie } from "../../layout/preference-cookie.ts";
import { openPage } from "../../portal/acts/open-page.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, useAct } from "../../portal/acts/use-act.tsx";
import { ActForm } from "../../portal/forms/act-form.tsx";
import { useDraft } from "../../portal/forms/use-draft.ts";
import { tabStorage } from "../../ui/tab-storage.ts";
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
const requestKeyOf = (storageKey: string, details: DetailValues): string => {
  const text = JSON.stringify(details);
  const [key = "", kept] = tabStorage.read(storageKey)?.split(/ (.*)/s) ?? [];
  if (kept === text) return key;
  const fresh = crypto.randomUUID();
  tabStorage.write(storageKey, `${fresh} ${text}`);
  return fresh;
};

/** Registers a merchant. */
export const NewMerchantForm = ({ accountId, initial, options, cancelHref, next, opens }: NewMerchantFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const draft = useDraft(form, `new-merchant-${accountId}`);
  const keyStorage = `new-merchant-key-${accountId}`;
  useProposedCurrency(form);
  const { isBusy, problem, notice, perform } = useAct();
  const errors = problem?.fields ?? {};
  const submit = (details: DetailValues) =>
    perform(async () => {
      const key = requestKeyOf(keyStorage, details);
      const { merchantId } = await trpc.merchants.create.mutate({ key, ...details });
      draft.clear();
      tabStorage.remove(keyStorage);
      setPreferenceCookie("merchant", merchantId, "/merchant");
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
