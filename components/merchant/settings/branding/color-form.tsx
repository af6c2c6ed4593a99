"use client";
import { useRef } from "react";
import type { MerchantSettingsView } from "#server/trpc/merchant/settings/settings-views.ts";
import { trpc } from "../../../portal/acts/trpc-client.ts";
import { Field } from "../../../ui/field/field.tsx";
import { SettingsForm } from "../settings-form.tsx";
import { useSettingsForm } from "../use-settings-form.ts";

type Props = { merchantId: string; settings: MerchantSettingsView };

const toTexts = ({ accentColor }: MerchantSettingsView["values"]) => ({ accentColor: accentColor ?? "" });

/** Changes the color. An empty field means no color. */
export const ColorForm = ({ merchantId, settings: { values, versions } }: Props) => {
  const form = useRef<HTMLFormElement>(null);
  const initial = toTexts(values);
  const state = useSettingsForm({
    merchantId,
    form,
    name: "color",
    version: versions.color,
    initial,
    toTexts,
    save: ({ accentColor = initial.accentColor }, version) =>
      trpc.settings.saveColor.mutate({ merchantId, version, accentColor }),
  });
  return (
    <SettingsForm form={form} label="Color" state={state} submitLabel="Save color">
      <Field
        label="Color"
        name="accentColor"
        defaultValue={initial.accentColor}
        maxLength={7}
        autoComplete="off"
        spellCheck={false}
        placeholder="#1a7f37"
        hint="A # and six hexadecimal digits, for example #1a7f37. Text on this color is black or white, whichever is easier to read."
        error={state.problem?.fields["/accentColor"] ?? null}
      />
    </SettingsForm>
  );
};
