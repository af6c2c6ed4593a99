import { merchantCategoryName } from "#server/kernel/money/mcc-names.ts";
import { countryName } from "#server/kernel/text/place-name.ts";
import type { OperatorMerchantDetail } from "#server/trpc/operator/operator-views.ts";
import { formatDateTime, formatShortDate } from "../../format/dates.ts";
import { merchantStateLabel } from "../../format/labels/merchant-labels.ts";
import { processorStateLabel } from "../../format/labels/processor-labels.ts";
import { requirementLabels } from "../../format/labels/requirement-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { sentenceCase } from "../../format/text.ts";
import { listAddress } from "../../portal/lists/list-address.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Link } from "../../ui/link.tsx";
import { PartyLogo } from "../../ui/party-logo.tsx";
import { Pill } from "../../ui/pill.tsx";

export const MerchantFacts = ({ merchant, reader }: { merchant: OperatorMerchantDetail; reader: Reader }) => {
  const { tone, label } = merchantStateLabel(merchant);
  return (
    <Facts>
      <Fact name="Status">
        <Pill tone={tone}>{label}</Pill>
      </Fact>
      {merchant.logo ? (
        <Fact name="Logo">
          <PartyLogo
            name={merchant.name}
            brand={{ logoUri: merchant.logo.uri, accentColor: null }}
            alt={`Logo of ${merchant.name}`}
          />
        </Fact>
      ) : null}
      <Fact name="Legal name">{merchant.legalName}</Fact>
      <Fact name="Merchant ID">{merchant.id}</Fact>
      {merchant.country === null ? null : <Fact name="Country">{countryName(merchant.country, "en")}</Fact>}
      {merchant.websiteUri === null ? null : <Fact name="Website">{merchant.websiteUri}</Fact>}
      <Fact name="Category">
        {merchant.mcc} {merchantCategoryName(merchant.mcc)}
      </Fact>
      {merchant.currency === null ? null : <Fact name="Currency">{merchant.currency}</Fact>}
      {merchant.timeZone === null ? null : <Fact name="Time zone">{merchant.timeZone.replaceAll("_", " ")}</Fact>}
      <Fact name="Processor">{sentenceCase(merchant.processor)}</Fact>
      <Fact name="Processor account">
        <AccountState merchant={merchant} reader={reader} />
      </Fact>
      <Fact name="Created">{formatShortDate(new Date(merchant.createdAt), reader)}</Fact>
      <Fact name="Records">
        <Link href={listAddress("/operator/charges", { q: merchant.id })}>Charges</Link>,{" "}
        <Link href={listAddress("/operator/disputes", { q: merchant.id })}>disputes</Link>,{" "}
        <Link href={listAddress("/operator/clients", { q: merchant.id })}>apps</Link>,{" "}
        <Link href={`/operator/merchants/${merchant.id}/billing`}>billing</Link>
      </Fact>
      <Fact name="Owners and admins">{merchant.managers.join(", ") || "None"}</Fact>
    </Facts>
  );
};

/** The account at the processor, with what the processor last reported about it. */
const AccountState = ({
  merchant: { account, processorAccount },
  reader,
}: {
  merchant: OperatorMerchantDetail;
  reader: Reader;
}) => {
  if (!account.isConnectable) return processorAccount;
  const { tone, label } = processorStateLabel(account.state);
  return (
    <>
      <Pill tone={tone}>{label}</Pill> {processorAccount}
      {account.due.length > 0 ? (
        <div className="small muted">Needed: {requirementLabels(account.due).join(", ")}</div>
      ) : null}
      {account.checkedAt ? (
        <div className="small muted">Reported on {formatDateTime(new Date(account.checkedAt), reader)}</div>
      ) : null}
    </>
  );
};
