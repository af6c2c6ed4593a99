import type { Metadata } from "next";
import { cache } from "react";
import { pageTitle } from "#components/layout/page-title.ts";
import { operatorAuditAddress } from "#components/operator/audit/audit-address.ts";
import { AuditTimeline } from "#components/operator/audit-timeline.tsx";
import { ClientFacts } from "#components/operator/clients/client-facts.tsx";
import { ClientKeys } from "#components/operator/clients/client-keys.tsx";
import { DeleteClient } from "#components/operator/clients/delete-client.tsx";
import { clientActionLabel, clientKinds } from "#components/operator/labels/client-labels.ts";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Link } from "#components/ui/link.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

type Props = { params: Promise<{ clientId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (id: string) => {
  const page = await operatorPage(`/operator/clients/${encodeURIComponent(id)}`, "oauth_client.read");
  return { ...page, client: await orNotFound(page.api.operatorClients.get({ clientId: id.slice(0, 64) })) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { client } = await load((await params).clientId);
  return { title: pageTitle(`Client ${client.name}`) };
};

const OperatorClientPage = async ({ params }: Props) => {
  const { reader, now, email, may, client } = await load((await params).clientId);
  const canDelete = client.state === "active" && may("oauth_client.delete");
  const isAgent = client.kind === "agent";
  return (
    <>
      <PageHead
        title={client.name}
        act={
          canDelete ? <DeleteClient clientId={client.id} name={client.name} isAgent={isAgent} email={email} /> : null
        }
      >
        {clientKinds[client.kind]}
      </PageHead>
      <ClientFacts client={client} reader={reader} />
      <Section title="Keys" act={<Link href="/operator/blocklist">Client-key blocklist</Link>}>
        <ClientKeys client={client} now={now} reader={reader} />
      </Section>
      <Section title="History" act={<Link href={operatorAuditAddress(client, reader)}>Audit log</Link>}>
        {client.history.length > 0 ? (
          <AuditTimeline entries={client.history} actionName={clientActionLabel} now={now} reader={reader} />
        ) : (
          <EmptyState title="No entries">The registration of this client isn’t in the audit log.</EmptyState>
        )}
      </Section>
      <div>
        <ButtonLink href="/operator/clients" size="small">
          All clients
        </ButtonLink>
      </div>
    </>
  );
};

export default OperatorClientPage;
