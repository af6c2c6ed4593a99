import type { MerchantMandateDetail } from "#server/trpc/merchant/mandates/mandate-views.ts";
import { formatDateTime, formatEnd } from "../../format/dates.ts";
import { bareMandateStateLabel, otherPeriodZone } from "../../format/labels/mandate-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { CopyText } from "../../ui/copy/copy-text.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Pill } from "../../ui/pill.tsx";

type Props = { mandate: MerchantMandateDetail; reader: Reader };

/** What a merchant may see of a mandate. */
export const MerchantMandateFacts = ({ mandate, reader }: Props) => {
  const { tone, label } = bareMandateStateLabel(mandate.state);
  const when = (time: string) => formatDateTime(new Date(time), reader);
  const periodZone = otherPeriodZone(mandate, reader);
  return (
    <Facts>
      <Fact name="Status">
        <Pill tone={tone}>{label}</Pill>
      </Fact>
      <Fact name="Mandate ID">
        <CopyText label="mandate ID" text={mandate.id} />
      </Fact>
      <Fact name="Agent">
        {mandate.client.name}
        <div>
          <code>{mandate.client.id}</code>
        </div>
      </Fact>
      <Fact name="Names you as payee">{mandate.isNamed ? "Yes" : "No: the agent must present the mandate to you"}</Fact>
      <Fact name="Allows">{mandate.actions.includes("charge") ? "Verify and charge" : "Verify only"}</Fact>
      <Fact name="Payer must be present">{mandate.payerPresence.includes("off_session") ? "No" : "Yes"}</Fact>
      <Fact name="Currency">{mandate.currency}</Fact>
      <Fact name="Valid from">{when(mandate.validFrom)}</Fact>
      {mandate.endedAt ? (
        <Fact name="Ended">{when(mandate.endedAt)}</Fact>
      ) : (
        <Fact name="Valid until">{formatEnd(new Date(mandate.validUntil), reader)}</Fact>
      )}
      {periodZone === null ? null : <Fact name="Time zone of the periods">{periodZone}</Fact>}
    </Facts>
  );
};
