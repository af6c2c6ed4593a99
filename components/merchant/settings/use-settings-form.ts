"use client";
import { useRouter } from "next/navigation";
import { type RefObject, useState } from "react";
import type { SettingForm } from "#server/merchants/rules/settings.ts";
import type { MerchantSettingsView } from "#server/trpc/merchant/settings/settings-views.ts";
import { reasonOf, trpc } from "../../portal/acts/trpc-client.ts";
import { textField, useAct } from "../../portal/acts/use-act.tsx";
import { useDraft } from "../../portal/forms/use-draft.ts";

/** Texts of the form's fields, by name. */
type Texts = Readonly<Record<string, string>>;

type SettingsForm = {
  merchantId: string;
  form: RefObject<HTMLFormElement | null>;
  /** the name of the form */
  name: SettingForm;
  version: string;
  /** the initial texts of the fields */
  initial: Texts;
  /** @returns the texts of the fields for the given values */
  toTexts(values: MerchantSettingsView["values"]): Texts;
  /** saves the fields that the member changed */
  save(change: Texts, version: string): Promise<{ version: string }>;
};

/** A field that the member and someone else changed, with the other person's value. */
export type Clash = { name: string; text: string };

/**
 * Saves the fields that the member changed. If someone else changed the settings in the meantime, the member's entries
 * are kept and the other fields get the new values. The member decides about fields that both changed.
 */
export const useSettingsForm = ({
  merchantId,
  form,
  name: formName,
  initial,
  toTexts,
  save,
  ...loaded
}: SettingsForm) => {
  const router = useRouter();
  const act = useAct();
  // The key contains the version, because a draft of an earlier version would undo later changes.
  const draft = useDraft(form, `settings-${merchantId}-${formName}-${loaded.version}`);
  const [base, setBase] = useState({ texts: initial, version: loaded.version });
  const [clashes, setClashes] = useState<readonly Clash[]>([]);
  const [isSaved, setIsSaved] = useState(false);
  const merge = async (typed: Texts) => {
    const { values, versions } = await trpc.settings.read.query({ merchantId });
    const fresh = { texts: toTexts(values), version: versions[formName] };
    const names = Object.keys(base.texts).filter((name) => fresh.texts[name] !== base.texts[name]);
    const isTyped = (name: string) => name in typed && typed[name] !== fresh.texts[name];
    for (const name of names.filter((other) => !isTyped(other))) setField(form.current, name, fresh.texts[name] ?? "");
    setClashes(names.filter(isTyped).map((name) => ({ name, text: fresh.texts[name] ?? "" })));
    setBase(fresh);
    router.refresh();
  };
  const submit = (data: FormData) => {
    const typed = changedTexts(data, base.texts);
    return act.perform(async () => {
      setIsSaved(false);
      try {
        const { version } = await save(typed, base.version);
        setBase({ texts: { ...base.texts, ...typed }, version });
      } catch (error) {
        if (reasonOf(error) === "settings_changed") await merge(typed);
        throw error;
      }
      setClashes([]);
      draft.clear();
      setIsSaved(true);
      router.refresh();
    });
  };
  return { ...act, submit, clashes, isSaved, onChange: () => setIsSaved(false) };
};

const changedTexts = (data: FormData, base: Texts): Texts => {
  const names = Object.keys(base).filter((name) => data.has(name) && textField(data, name) !== base[name]);
  return Object.fromEntries(names.map((name) => [name, textField(data, name)]));
};

const setField = (form: HTMLFormElement | null, name: string, text: string): void => {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = text;
};
