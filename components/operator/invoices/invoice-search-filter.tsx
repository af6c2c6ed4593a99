import type { Reader } from "../../format/reader.ts";
import { type InvoiceStatus, invoiceStatusLabels } from "../../merchant/billing/invoice-labels.ts";
import { DateFilter } from "../../portal/lists/date-filter.tsx";
import type { DateRange } from "../../portal/lists/date-range.ts";
import { CurrencyField, FilterForm } from "../../portal/lists/filter-form.tsx";
import { listAddress } from "../../portal/lists/list-address.ts";
import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { invoicesPath } from "./invoice-tabs.tsx";

const invoiceTypes = { invoice: "Invoices", credit_note: "Credit notes" } as const;
type InvoiceType = keyof typeof invoiceTypes;

export const isInvoiceType = (text: unknown): text is InvoiceType =>
  typeof text === "string" && Object.hasOwn(invoiceTypes, text);

export type InvoiceSearchQuery = {
  q: string | undefined;
  type: InvoiceType | undefined;
  status: InvoiceStatus | undefined;
  currency: string | undefined;
};

/** The filters of the list of all invoices: search, type, status, currency and dates. */
export const InvoiceSearchFilter = ({
  query,
  range,
  now,
  reader,
}: {
  query: InvoiceSearchQuery;
  range: DateRange;
  now: Date;
  reader: Reader;
}) => (
  <FilterForm action={invoicesPath} filters={query} range={range}>
    <Field
      label="Number, merchant or ID"
      name="q"
      type="search"
      defaultValue={query.q ?? ""}
      maxLength={100}
      hint="An exact number or ID, or a part of a name."
    />
    <Select label="Type" name="type" defaultValue={query.type ?? ""}>
      <option value="">All types</option>
      <Options labels={invoiceTypes} />
    </Select>
    <Select label="Status" name="status" defaultValue={query.status ?? ""}>
      <option value="">All statuses</option>
      <Options labels={invoiceStatusLabels} />
    </Select>
    <CurrencyField value={query.currency} />
    <DateFilter
      range={range}
      now={now}
      reader={reader}
      addressOf={(period) => listAddress(invoicesPath, { ...query, ...period })}
    />
  </FilterForm>
);
