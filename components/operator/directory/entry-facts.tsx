import type { OperatorEntry } from "#server/trpc/operator/directory/entry-views.ts";
import { environmentLabels, roleLabels } from "../../directory/directory-labels.ts";
import { StatusPill } from "../../directory/participant-list.tsx";
import { formatDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { formatList } from "../../format/text.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Link } from "../../ui/link.tsx";

/** An entry of the directory with all its claims. Addresses aren't links, because Paygrant hasn't checked them. */
export const EntryFacts = ({ entry, reader }: { entry: OperatorEntry; reader: Reader }) => (
  <Facts>
    <Fact name="Status">
      <StatusPill status={entry.status} />
    </Fact>
    {entry.suspendedAt === null ? null : (
      <Fact name="Suspended since">{formatDateTime(new Date(entry.suspendedAt), reader)}</Fact>
    )}
    <Fact name="Entry ID">
      <Link href={`/directory/${entry.id}`}>{entry.id}</Link>
    </Fact>
    <Fact name="Roles">{formatList(entry.roles.map((role) => roleLabels[role] ?? role))}</Fact>
    <Fact name="Legal name">{entry.legalName ?? "None"}</Fact>
    {entry.issuer === null ? null : <Fact name="Issuer">{entry.issuer}</Fact>}
    {entry.environment === null ? null : <Fact name="Environment">{environmentLabels[entry.environment]}</Fact>}
    {entry.merchantId === null ? null : (
      <Fact name="Merchant">
        <Link href={`/operator/merchants/${entry.merchantId}`}>{entry.merchantId}</Link>
      </Fact>
    )}
    <Fact name="Website">{entry.websiteUri ?? "None"}</Fact>
    <Fact name="Logo">{entry.logoUri ?? "None"}</Fact>
    <Fact name="Contacts">{entry.contacts.join(", ") || "None"}</Fact>
    <Fact name="Domains">
      {entry.claims.length === 0
        ? "None"
        : entry.claims.map(({ domain, verifiedAt }) => (
            <div key={domain}>
              {domain}
              {verifiedAt === null ? ", not verified" : `, verified ${formatDateTime(new Date(verifiedAt), reader)}`}
            </div>
          ))}
    </Fact>
    <Fact name="Created">{formatDateTime(new Date(entry.createdAt), reader)}</Fact>
  </Facts>
);
