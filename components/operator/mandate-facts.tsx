import type { toMandateForOperator } from "#server/trpc/operator/operator-views.ts";
import { formatDateTime, formatEnd } from "../format/dates.ts";
import { bareMandateStateLabel, isLiveMandate, mandateEnd, otherPeriodZone } from "../format/labels/mandate-labels.ts";
import type { Reader } from "../format/reader.ts";
import { formatList } from "../format/text.ts";
import { listAddress } from "../portal/lists/list-address.ts";
import { Fact, Facts } from "../ui/facts.tsx";
import { Link } from "../ui/link.tsx";
import { Pill } from "../ui/pill.tsx";
import { describeSuspensions } from "./labels/operator-mandate-labels.ts";

type OperatorMandate = ReturnType<typeof toMandateForOperator>;

export const OperatorMandateFacts = ({ mandate, reader }: { mandate: OperatorMandate; reader: Reader }) => {
  const { client, payer, suspendedBy } = mandate;
  const { tone, label } = bareMandateStateLabel(mandate.state);
  const isLive = isLiveMandate(mandate);
  const periodZone = otherPeriodZone(mandate, reader);
  const payees = mandate.payees.map((payee) => ("name" in payee ? payee.name : `category ${payee.category}`));
  return (
    <Facts>
      <Fact name="Status">
        <Pill tone={tone}>{label}</Pill>
      </Fact>
      {suspendedBy.length > 0 && isLive ? <Fact name="Suspended by">{describeSuspensions(suspendedBy)}</Fact> : null}
      <Fact name="Mandate">{mandate.version > 1 ? `${mandate.id}, version ${mandate.version}` : mandate.id}</Fact>
      <Fact name="Payer">
        <Link href={`/operator/payers/${payer.id}`}>{payer.email}</Link>
      </Fact>
      <Fact name="Client">
        <Link href={`/operator/clients/${client.id}`}>{client.name}</Link>
      </Fact>
      <Fact name="Charges">
        <Link href={listAddress("/operator/charges", { q: mandate.id })}>Charges of this mandate</Link>
      </Fact>
      <Fact name="Payees">{payees.length > 0 ? formatList(payees) : "any registered merchant"}</Fact>
      <Fact name="Valid from">{formatDateTime(new Date(mandate.validFrom), reader)}</Fact>
      {isLive ? (
        <Fact name="Valid until">{formatEnd(new Date(mandate.validUntil), reader)}</Fact>
      ) : (
        <Fact name="Ended">{formatDateTime(mandateEnd(mandate), reader)}</Fact>
      )}
      {periodZone === null ? null : <Fact name="Time zone of the periods">{periodZone}</Fact>}
    </Facts>
  );
};
