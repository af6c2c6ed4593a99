"use client";
import { useRef } from "react";
import type { MerchantSettingsView } from "#server/trpc/merchant/settings/settings-views.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { DetailFields } from "./detail-fields.tsx";
import type { DetailOptions } from "./detail-options.ts";
import { detailTexts } from "./setting-texts.ts";
import { SettingsForm } from "./settings-form.tsx";
import { useSettingsForm } from "./use-settings-form.ts";

type Props = { merchantId: string; settings: MerchantSettingsView; options: DetailOptions };

/** Changes the business details that members can change. */
export const BusinessDetailsForm = ({ merchantId, settings: { values, fixed, versions }, options }: Props) => {
  const form = useRef<HTMLFormElement>(null);
  const initial = detailTexts(values);
  const state = useSettingsForm({
    merchantId,
    form,
    name: "details",
    version: versions.details,
    initial,
    toTexts: detailTexts,
    save: (change, version) => trpc.settings.saveDetails.mutate({ merchantId, version, ...change }),
  });
  return (
    <SettingsForm form={form} label="Business details" state={state} submitLabel="Save details">
      <DetailFields values={initial} options={options} errors={state.problem?.fields ?? {}} fixed={fixed} />
    </SettingsForm>
  );
};
