import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ParticipantHealth } from "#components/directory/participant-health.tsx";
import { ParticipantHistory } from "#components/directory/participant-history.tsx";
import { rolesText, StatusPill } from "#components/directory/participant-list.tsx";
import { formatAmount } from "#components/format/money.ts";
import { ClaimForm } from "#components/merchant/directory/claim-form.tsx";
import { DomainCard } from "#components/merchant/directory/domain-card.tsx";
import { EntryForm } from "#components/merchant/directory/entry-form.tsx";
import { FederationSection } from "#components/merchant/directory/federation-section.tsx";
import { ListingSection } from "#components/merchant/directory/listing-section.tsx";
import { RevokeAgentToken } from "#components/merchant/directory/revoke-agent-token.tsx";
import { ReceivedSection } from "#components/merchant/transfers/received-section.tsx";
import { TransferSection } from "#components/merchant/transfers/transfer-section.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { TokenTable } from "#components/portal/tokens/token-table.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { CopyId } from "#components/ui/copy/copy-id.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Link } from "#components/ui/link.tsx";
import type { MerchantEntryView } from "#server/trpc/merchant/directory/directory-views.ts";
import { orNotFound } from "../../portal-context.ts";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Directory" };

const here = "/merchant/directory";

const readBefore = ({ before }: SearchParams): number | undefined =>
  typeof before === "string" && /^[1-9]\d{0,8}$/.test(before) ? Number(before) : undefined;

type Page = Awaited<ReturnType<typeof merchantPage>>;
type Lists = { page: Page; before: number | undefined; token: string | undefined };

const DirectoryPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const lists = { page: await merchantPage(here), before: readBefore(params), token: searchId(params, "token") };
  const { api, merchantId, config, may } = lists.page;
  const [entry, transfers] = await Promise.all([
    api.merchantDirectory.entry({ merchantId }),
    api.entryTransfers.open({ merchantId }),
  ]);
  const received = <Received page={lists.page} transfers={transfers} ownEntryId={entry?.id ?? null} />;
  if (!entry) return <NoEntry>{received}</NoEntry>;
  const mayChange = may("directory.change") && !entry.isSuspended;
  const listing = mayChange ? <ListingSection merchantId={merchantId} isListed={entry.status !== "withdrawn"} /> : null;
  return (
    <>
      <PageHead
        title="Directory"
        state={<StatusPill status={entry.status} />}
        act={<a href={`${config.discoveryUrl}/${entry.id}`}>Public page</a>}
      >
        {noteOf(entry)}
      </PageHead>
      {received}
      {entry.status === "withdrawn" ? listing : null}
      <EntrySection page={lists.page} entry={entry} mayChange={mayChange} />
      <DomainSection page={lists.page} entry={entry} mayChange={mayChange} />
      <EntitySection page={lists.page} entry={entry} mayChange={mayChange} />
      {entry.metadataUris.length > 0 ? <HealthSection page={lists.page} entry={entry} /> : null}
      <HistorySection {...lists} />
      <TokenSection {...lists} isActive={entry.status === "active"} />
      {entry.status === "withdrawn" ? null : listing}
      <Transfer page={lists.page} transfers={transfers} isListed={mayChange && entry.status !== "withdrawn"} />
    </>
  );
};

type Transfers = { page: Page; transfers: Awaited<ReturnType<Page["api"]["entryTransfers"]["open"]>> };

const Received = ({ page, transfers, ownEntryId }: Transfers & { ownEntryId: string | null }) => {
  const { merchantId, email, config, standing, now, reader, may } = page;
  return (
    <ReceivedSection
      merchantId={merchantId}
      email={email}
      received={transfers.received}
      hasMore={transfers.hasMore}
      discoveryUrl={config.discoveryUrl}
      ownEntryId={ownEntryId}
      isSuspended={standing === "suspended"}
      mayAccept={may("directory.transfer")}
      mayDecline={may("directory.end_transfer")}
      now={now}
      reader={reader}
    />
  );
};

const Transfer = ({ page, transfers, isListed }: Transfers & { isListed: boolean }) => {
  const { merchantId, email, now, reader, may } = page;
  return (
    <TransferSection
      merchantId={merchantId}
      email={email}
      made={transfers.made}
      mayOffer={isListed && may("directory.transfer")}
      mayCancel={may("directory.end_transfer")}
      now={now}
      reader={reader}
    />
  );
};

const DomainSection = ({
  page: { merchantId, now, reader },
  entry,
  mayChange,
}: {
  page: Page;
  entry: MerchantEntryView;
  mayChange: boolean;
}) => (
  <Section title="Domains">
    {mayChange && entry.status !== "withdrawn" ? <ClaimForm merchantId={merchantId} /> : null}
    {entry.domains.length === 0 ? (
      <EmptyState title="No domains yet">
        Your entry becomes active when you verify a domain. The domain proves that the entry belongs to your website.
      </EmptyState>
    ) : null}
    {entry.domains.map((view) => (
      <DomainCard
        key={view.domain}
        merchantId={merchantId}
        view={view}
        acts={mayChange ? { mayCheck: entry.status !== "withdrawn" } : null}
        now={now}
        reader={reader}
      />
    ))}
  </Section>
);

const EntitySection = async ({
  page: { api, merchantId, now, reader },
  entry,
  mayChange,
}: {
  page: Page;
  entry: MerchantEntryView;
  mayChange: boolean;
}) => (
  <FederationSection
    merchantId={merchantId}
    entity={await api.entryFederation.entity({ merchantId })}
    acts={mayChange ? { mayRegister: entry.status === "active" } : null}
    now={now}
    reader={reader}
  />
);

const HealthSection = async ({
  page: { api, merchantId, config, now, reader },
  entry,
}: {
  page: Page;
  entry: MerchantEntryView;
}) => (
  <Section title="Published metadata">
    <ParticipantHealth
      health={await api.merchantDirectory.health({ merchantId })}
      name={entry.displayName}
      metadataHref={`${config.discoveryUrl}/v1/participants/${entry.id}/metadata`}
      now={now}
      reader={reader}
    />
  </Section>
);

const HistorySection = async ({ page: { api, merchantId, config, now, reader }, before, token }: Lists) => {
  const { entries, older } = await api.merchantDirectory.history({ merchantId, before });
  return (
    <Section title="Change history">
      <ParticipantHistory
        entries={entries}
        now={now}
        reader={reader}
        changesHref={`${config.discoveryUrl}/v1/changes`}
      />
      <Pager
        newest={before === undefined ? null : listAddress(here, { token })}
        older={older === null ? null : listAddress(here, { token, before: String(older) })}
      />
    </Section>
  );
};

const TokenSection = async ({
  page: { api, merchantId, now, reader, may },
  before,
  token,
  isActive,
}: Lists & { isActive: boolean }) => {
  const { tokens, hasMore } = await orNotFound(api.merchantDirectory.tokens({ merchantId, startingAfter: token }));
  const revoke = ({ id, label }: { id: string; label: string | null }) => (
    <RevokeAgentToken merchantId={merchantId} tokenId={id} name={label ?? id} />
  );
  const mark = before === undefined ? undefined : String(before);
  const create =
    isActive && may("initial_token.create") ? (
      <ButtonLink href={`${here}/new-token`} size="small">
        New token
      </ButtonLink>
    ) : null;
  return (
    <Section title="Agent tokens" act={tokens.length > 0 ? create : null}>
      {tokens.length > 0 ? (
        <TokenTable tokens={tokens} now={now} reader={reader} act={may("directory.change") ? revoke : null} />
      ) : (
        <EmptyState title="No tokens yet" act={create}>
          Agents that register with one of your agent tokens belong to your entry. To create a token, you need a
          verified domain.
        </EmptyState>
      )}
      <p className="small muted">
        Your software statements, and the tokens for your own apps, are in{" "}
        <Link href="/merchant/apps">Apps &amp; keys</Link>.
      </p>
      <Pager
        newest={token === undefined ? null : listAddress(here, { before: mark })}
        older={hasMore ? listAddress(here, { before: mark, token: tokens.at(-1)?.id }) : null}
      />
    </Section>
  );
};

const noteOf = ({ status, isSuspended }: MerchantEntryView): string =>
  status === "withdrawn" && isSuspended
    ? "Your entry is withdrawn, and your merchant or this entry is suspended. The entry can’t be changed or listed again until the suspension ends."
    : statusNotes[status];

const statusNotes: Readonly<Record<MerchantEntryView["status"], string>> = {
  active: "Your entry in the public directory. Your verified domains prove that it is yours.",
  pending: "Your entry in the public directory. It becomes active when you verify a domain.",
  suspended: "Your merchant or this entry is suspended. The entry can’t be changed until the suspension ends.",
  withdrawn: "Your entry is withdrawn. Its public page and its history are kept.",
};

const NoEntry = ({ children }: { children: ReactNode }) => (
  <>
    <PageHead title="Directory">Your entry in the public directory.</PageHead>
    {children}
    <EmptyState title="No entry yet">
      The entry is created when your merchant is approved. If your merchant is already approved, register an app to
      create the entry.
    </EmptyState>
  </>
);

const EntrySection = ({
  page: { merchantId, reader },
  entry,
  mayChange,
}: {
  page: Page;
  entry: MerchantEntryView;
  mayChange: boolean;
}) => (
  <Section title="Entry" act={<Link href="/merchant/settings">Change the names in Settings</Link>}>
    <Facts>
      <Fact name="ID">
        <CopyId label="ID" text={entry.id} />
      </Fact>
      <Fact name="Display name">{entry.displayName}</Fact>
      <Fact name="Legal name">{entry.legalName ?? "Not set"}</Fact>
      <Fact name="Roles">{rolesText(entry.roles)}</Fact>
      {mayChange ? null : (
        <>
          <Fact name="Website">{entry.websiteUri ?? "Not set"}</Fact>
          <Fact name="Logo URL">{entry.logoUri ?? "Not set"}</Fact>
          <Fact name="Contacts">{entry.contacts.join(", ") || "None"}</Fact>
          <Fact name="Metadata documents">{entry.metadataUris.join(", ") || "None"}</Fact>
          <Fact name="Largest charge">
            {entry.maxChargeAmounts.map((one) => formatAmount(one.amount, one.currency, reader)).join(", ") ||
              "Not stated"}
          </Fact>
        </>
      )}
    </Facts>
    {mayChange ? <EntryForm merchantId={merchantId} entry={entry} locale={reader.locale} /> : null}
  </Section>
);

export default DirectoryPage;
