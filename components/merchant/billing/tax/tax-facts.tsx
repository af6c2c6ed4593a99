import type { MerchantTaxView } from "#server/trpc/merchant/billing/tax/tax-views.ts";
import { formatDateTime } from "../../../format/dates.ts";
import { taxText } from "../../../format/labels/tax-labels.ts";
import type { Reader } from "../../../format/reader.ts";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Pill, type Tone } from "../../../ui/pill.tsx";

type Props = { tax: MerchantTaxView; countryName: string; reader: Reader };

/** The details on the invoices, and the tax status. */
export const TaxFacts = ({ tax, countryName, reader }: Props) => {
  const { values, vat } = tax;
  return (
    <Facts>
      {values ? (
        <>
          <Fact name="Name">{values.legalName}</Fact>
          <Fact name="Address">{addressOf(values, countryName)}</Fact>
          <Fact name="VAT number">{values.vatNumber === "" ? "None" : values.vatNumber}</Fact>
        </>
      ) : null}
      {vat.status === "none" ? null : (
        <Fact name="Check of the VAT number (VIES)">
          <VatStatus vat={vat} reader={reader} />
        </Fact>
      )}
      <Fact name="Tax on your invoices">{taxOnInvoices(tax, reader)}</Fact>
    </Facts>
  );
};

type Values = NonNullable<MerchantTaxView["values"]>;

const addressOf = ({ line1, line2, postalCode, city }: Values, countryName: string): string =>
  [line1, line2, `${postalCode} ${city}`.trim(), countryName].filter((part) => part !== "").join(", ");

const taxOnInvoices = ({ values, rate, isSandbox }: MerchantTaxView, reader: Reader): string => {
  if (rate) return taxText(rate, reader);
  if (isSandbox)
    return "None. In the sandbox, invoices have no tax until your tax details name a country with a tax rate.";
  return values
    ? "Not decided yet. Invoices stay drafts until the tax is known. After 7 days, Paygrant can issue them without tax."
    : "Unknown. Invoices stay drafts until you enter your tax details. After 7 days, Paygrant can issue them without tax.";
};

const vatStates: Readonly<Record<Exclude<MerchantTaxView["vat"]["status"], "none">, { tone: Tone; label: string }>> = {
  unchecked: { tone: "neutral", label: "Not checked" },
  valid: { tone: "good", label: "Valid" },
  invalid: { tone: "bad", label: "Not valid" },
  unavailable: { tone: "unknown", label: "VIES unavailable" },
};

const VatStatus = ({
  vat: { status, checkedAt, isChecked },
  reader,
}: {
  vat: MerchantTaxView["vat"];
  reader: Reader;
}) => {
  if (status === "none") return null;
  const { tone, label } = vatStates[status];
  return (
    <>
      <Pill tone={tone}>{label}</Pill>{" "}
      <span className="muted small">
        {checkedAt === null ? null : `Checked on ${formatDateTime(new Date(checkedAt), reader)}. `}
        {noteOf(status, isChecked)}
      </span>
    </>
  );
};

const noteOf = (status: MerchantTaxView["vat"]["status"], isChecked: boolean): string => {
  if (status === "invalid") return "Check the number, or ask your tax office.";
  if (status === "valid") return "";
  if (!isChecked) return "Only the format was checked.";
  return status === "unchecked" ? "VIES checks it within minutes." : "The check is repeated automatically.";
};
