"use client";
import { useRef, useState } from "react";
import { setPreferenceCookie } from "../../layout/preference-cookie.ts";
import { openPage } from "../../portal/acts/open-page.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, useAct } from "../../portal/acts/use-act.tsx";
import { ActForm } from "../../portal/forms/act-form.tsx";
import { useDraft } from "../../portal/forms/use-draft.ts";
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

/** Registers a merchant. Repeating the request with the same key doesn't create a second merchant. */
export const NewMerchantForm = ({ accountId, initial, options, cancelHref, next, opens }: NewMerchantFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [key] = useState(() => crypto.randomUUID());
  const draft = useDraft(form, `new-merchant-${accountId}`);
  useProposedCurrency(form);
  const { isBusy, problem, notice, perform } = useAct();
  const errors = problem?.fields ?? {};
  const submit = (details: DetailValues) =>
    perform(async () => {
      const { merchantId } = await trpc.merchants.create.mutate({ key, ...details });
      draft.clear();
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
