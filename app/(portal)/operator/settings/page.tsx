import type { Metadata } from "next";
import { SettingTable } from "#components/operator/service/setting-table.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Settings" };

const SettingsPage = async () => {
  const { api, config } = await operatorPage("/operator/settings");
  const settings = await api.operatorService.settings();
  return (
    <>
      <PageHead title="Settings">
        The settings in force in {config.environment}. Settings are environment variables: to change one, edit{" "}
        <code>.env</code> and restart the service. Secrets are never shown.
      </PageHead>
      <SettingTable settings={settings} />
    </>
  );
};

export default SettingsPage;
