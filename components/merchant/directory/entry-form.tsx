"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import { toTypedAmount } from "#server/kernel/money/typed-amount.ts";
import type { MerchantEntryView } from "#server/trpc/merchant/directory/directory-views.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import { useDraft } from "../../portal/forms/use-draft.ts";
import styles from "../../portal/portal.module.css";
import { SubmitButton } from "../../ui/button.tsx";
import { Field, TextArea } from "../../ui/field/field.tsx";
import { Notice } from "../../ui/notice.tsx";

/** @param locale of the member, for amounts */
type Props = { merchantId: string; entry: MerchantEntryView; locale: string };

/** Changes the fields that exist only in the directory's entry. The names are changed in the settings. */
export const EntryForm = ({ merchantId, entry, locale }: Props) => {
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, problem, notice, isSaved, submit, onChange } = useEntryForm({ form, merchantId, etag: entry.etag });
  const fields = problem?.fields ?? {};
  return (
    <form
      ref={form}
      noValidate
      aria-label="Entry"
      className={`card ${styles.form} ${styles.box}`}
      onChange={onChange}
      onSubmit={submit}
    >
      <div className={styles.pair}>
        <Field
          label="Website"
          name="websiteUri"
          type="url"
          defaultValue={entry.websiteUri ?? ""}
          autoComplete="off"
          placeholder="https://shop.example/"
          error={fields["/websiteUri"] ?? null}
        />
        <Field
          label="Logo URL"
          name="logoUri"
          type="url"
          defaultValue={entry.logoUri ?? ""}
          autoComplete="off"
          placeholder="https://shop.example/logo.png"
          error={fields["/logoUri"] ?? null}
        />
      </div>
      <Lists entry={entry} locale={locale} fields={fields} />
      {Object.keys(fields).length > 0 ? null : notice}
      {isSaved ? (
        <Notice tone="good" isLive>
          Saved.
        </Notice>
      ) : null}
      <div className={styles.acts}>
        <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
          Save entry
        </SubmitButton>
      </div>
    </form>
  );
};

/** Fields with one value per line. */
const Lists = ({
  entry,
  locale,
  fields,
}: Pick<Props, "entry" | "locale"> & { fields: Readonly<Record<string, string>> }) => (
  <>
    <TextArea
      label="Contacts"
      name="contacts"
      rows={3}
      defaultValue={entry.contacts.join("\n")}
      hint="Up to 5 e-mail addresses, one per line. Everyone can see them in the directory. Mail about your domains goes to the owners and admins of your team, not to these addresses."
      error={fields["/contacts"] ?? null}
    />
    <TextArea
      label="Metadata documents"
      name="metadataUris"
      rows={3}
      defaultValue={entry.metadataUris.join("\n")}
      spellCheck={false}
      hint="Up to 3 URLs of OAuth metadata on your verified domains, one per line. The directory checks them every hour and shows the result to everyone. If a document changes, the owners and admins of your team get an e-mail."
      error={fields["/metadataUris"] ?? fields["/metadata_documents"] ?? null}
    />
    <TextArea
      label="Largest charge"
      name="maxChargeAmounts"
      rows={2}
      defaultValue={entry.maxChargeAmounts
        .map(
          ({ currency, amount }) => `${currency} ${toTypedAmount({ currency, amountMinor: BigInt(amount) }, locale)}`,
        )
        .join("\n")}
      placeholder="EUR 2500.00"
      spellCheck={false}
      hint="The largest charge that you accept, one currency per line. It is information for readers of the directory: Paygrant doesn’t refuse larger charges."
      error={fields["/maxChargeAmounts"] ?? null}
    />
  </>
);

type EntryFormState = { form: { current: HTMLFormElement | null }; merchantId: string; etag: string };

/** If the entry changed after the page was loaded, the form keeps the typed text and the page is refreshed. */
const useEntryForm = ({ form, merchantId, etag }: EntryFormState) => {
  const router = useRouter();
  const act = useAct();
  // The key contains the version, because a draft of an earlier version would undo later changes.
  const draft = useDraft(form, `directory-entry-${merchantId}-${etag}`);
  const [isSaved, setIsSaved] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const data = submittedForm(event);
    const names = ["websiteUri", "logoUri", "contacts", "metadataUris", "maxChargeAmounts"];
    const [websiteUri, logoUri, contacts, metadataUris, maxChargeAmounts] = names.map((name) => textField(data, name));
    return act.perform(async () => {
      setIsSaved(false);
      try {
        await trpc.merchantDirectory.edit.mutate({
          merchantId,
          etag,
          websiteUri: websiteUri ?? "",
          logoUri: logoUri ?? "",
          contacts: contacts ?? "",
          metadataUris: metadataUris ?? "",
          maxChargeAmounts: maxChargeAmounts ?? "",
        });
        draft.clear();
        setIsSaved(true);
      } finally {
        router.refresh();
      }
    });
  };
  return { ...act, submit, isSaved, onChange: () => setIsSaved(false) };
};
