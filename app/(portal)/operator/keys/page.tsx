import type { Metadata } from "next";
import { KeySection } from "#components/operator/service/key-section.tsx";
import { KeyTable } from "#components/operator/service/key-table.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { KeyPurpose } from "#server/kernel/key-purpose.ts";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Signing keys" };

const purposes: readonly { purpose: KeyPurpose; title: string; label: string }[] = [
  { purpose: "access_token", title: "Access tokens", label: "access tokens" },
  { purpose: "credential", title: "Credentials and status lists", label: "credentials" },
  { purpose: "receipt", title: "Receipts", label: "receipts" },
  { purpose: "directory", title: "Directory", label: "the directory" },
  { purpose: "federation_anchor", title: "Federation: directory", label: "the directory’s federation statements" },
  {
    purpose: "federation_server",
    title: "Federation: authorization server",
    label: "the authorization server’s federation statements",
  },
];

const KeysPage = async () => {
  const { api, reader, email, now } = await operatorPage("/operator/keys");
  const { keys, credentialsToWithdraw } = await api.operatorService.signingKeys();
  return (
    <>
      <PageHead title="Signing keys">
        Keys rotate automatically after 30 days. A key is published before it becomes active, so that all clients can
        load it in time.
      </PageHead>
      {credentialsToWithdraw > 0 ? (
        <Notice tone="warn">
          {credentialsToWithdraw} {credentialsToWithdraw === 1 ? "credential was" : "credentials were"} signed by
          revoked keys. We are asking the clients to fetch new credentials.
        </Notice>
      ) : null}
      {purposes.map(({ purpose, title, label }) => (
        <KeySection key={purpose} purpose={purpose} title={title} label={label} email={email}>
          <KeyTable
            caption={title}
            keys={keys.filter((key) => key.purpose === purpose)}
            now={now}
            reader={reader}
            email={email}
          />
        </KeySection>
      ))}
    </>
  );
};

export default KeysPage;
