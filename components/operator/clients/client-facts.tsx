import type { OperatorClient } from "#server/trpc/operator/clients/client-views.ts";
import { formatDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { formatCount } from "../../format/text.ts";
import { listAddress } from "../../portal/lists/list-address.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Link } from "../../ui/link.tsx";
import { Pill } from "../../ui/pill.tsx";
import { clientKinds, clientStates } from "../labels/client-labels.ts";

type Props = { client: OperatorClient; reader: Reader };

/** The registration of a client, and the client's grants and mandates. */
export const ClientFacts = ({ client, reader }: Props) => {
  const { tone, label } = clientStates[client.state];
  const { metadata } = client;
  return (
    <Facts>
      <Fact name="Status">
        <Pill tone={tone}>{label}</Pill>
      </Fact>
      <Fact name="Client ID">{client.id}</Fact>
      <Fact name="Kind">{clientKinds[client.kind]}</Fact>
      <Owner client={client} />
      <Fact name="Registered">
        {formatDateTime(new Date(client.createdAt), reader)}
        {client.isFromInitialToken ? ", with an initial access token" : null}
      </Fact>
      {client.deletedAt === null ? null : (
        <Fact name="Deleted">{formatDateTime(new Date(client.deletedAt), reader)}</Fact>
      )}
      <Fact name="Active grants">{boundedCount(client.holdings.grants)}</Fact>
      {client.kind === "agent" ? (
        <Fact name="Active and suspended mandates">
          <Link href={listAddress("/operator/mandates", { q: client.id })}>
            {boundedCount(client.holdings.mandates)}
          </Link>
        </Fact>
      ) : null}
      <Fact name="Authentication">private_key_jwt{client.dpopBound ? ", with DPoP" : null}</Fact>
      <Fact name="Grant types">
        <Codes values={client.grantTypes} />
      </Fact>
      <Fact name="Scopes">
        <Codes values={client.scopes} />
      </Fact>
      {client.redirectUris.length > 0 ? (
        <Fact name="Redirect URIs">
          <Codes values={client.redirectUris} />
        </Fact>
      ) : null}
      <Addresses metadata={metadata} />
    </Facts>
  );
};

/** The same limit as in server/operators/clients/get-oauth-client.ts. */
const maxCounted = 1_000;
const boundedCount = (count: number): string =>
  count >= maxCounted ? `${formatCount(maxCounted)} or more` : formatCount(count);

const verification = ({ verifiedDomain }: OperatorClient): string =>
  verifiedDomain === null ? ", not verified" : ` · ${verifiedDomain}, verified`;

const Owner = ({ client }: { client: OperatorClient }) => {
  if (client.merchantId !== null) {
    return (
      <Fact name="Merchant">
        <Link href={`/operator/merchants/${client.merchantId}`}>{client.merchantName ?? client.merchantId}</Link>
      </Fact>
    );
  }
  return (
    <Fact name="Owner">
      {client.participantName === null ? "None" : `${client.participantName}${verification(client)}`}
    </Fact>
  );
};

const Codes = ({ values }: { values: readonly string[] }) =>
  values.length === 0
    ? "None"
    : values.map((value) => (
        <div key={value}>
          <code>{value}</code>
        </div>
      ));

/** The addresses and contacts that the client registered. They aren't links, because Paygrant hasn't checked them. */
const Addresses = ({ metadata }: Pick<OperatorClient, "metadata">) => (
  <>
    {metadata.client_uri ? <Fact name="Website">{metadata.client_uri}</Fact> : null}
    {metadata.policy_uri ? <Fact name="Privacy policy">{metadata.policy_uri}</Fact> : null}
    {metadata.tos_uri ? <Fact name="Terms">{metadata.tos_uri}</Fact> : null}
    {metadata.contacts.length > 0 ? <Fact name="Contacts">{metadata.contacts.join(", ")}</Fact> : null}
    {metadata.software_id ? (
      <Fact name="Software">{[metadata.software_id, metadata.software_version].filter(Boolean).join(", ")}</Fact>
    ) : null}
  </>
);
