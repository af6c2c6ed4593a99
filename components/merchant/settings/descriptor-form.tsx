"use client";
import { useRef } from "react";
import type { MerchantSettingsView } from "#server/trpc/merchant/settings/settings-views.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { Field } from "../../ui/field/field.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { useSettingsForm } from "./use-settings-form.ts";

type Props = { merchantId: string; settings: MerchantSettingsView };

const toTexts = ({ statementDescriptor }: MerchantSettingsView["values"]) => ({
  statementDescriptor: statementDescriptor ?? "",
});

/** Changes the text on bank statements. An empty text means the processor's default. */
export const DescriptorForm = ({ merchantId, settings: { values, versions } }: Props) => {
  const form = useRef<HTMLFormElement>(null);
  const initial = toTexts(values);
  const state = useSettingsForm({
    merchantId,
    form,
    name: "descriptor",
    version: versions.descriptor,
    initial,
    toTexts,
    save: ({ statementDescriptor = initial.statementDescriptor }, version) =>
      trpc.settings.saveDescriptor.mutate({ merchantId, version, statementDescriptor }),
  });
  return (
    <SettingsForm form={form} label="Statement descriptor" state={state} submitLabel="Save descriptor">
      <Field
        label="Statement descriptor"
        name="statementDescriptor"
        defaultValue={initial.statementDescriptor}
        autoComplete="off"
        spellCheck={false}
        placeholder="FRESH MARKET"
        hint="5 to 22 characters, shown on payers’ bank statements. If you already have a processor account, also change the text in the processor’s dashboard. To use the processor’s default, leave the field empty."
        error={state.problem?.fields["/statementDescriptor"] ?? null}
      />
    </SettingsForm>
  );
};
