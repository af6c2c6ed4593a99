import { CurrencyField, FilterForm } from "../../portal/lists/filter-form.tsx";
import { listAddress } from "../../portal/lists/list-address.ts";
import { Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { type InvoiceStatus, invoiceStatusLabels } from "./invoice-labels.ts";

const path = "/merchant/billing/invoices";

export type InvoiceQuery = {
  status: InvoiceStatus | undefined;
  currency: string | undefined;
  after?: string | undefined;
};

export const invoicesAddress = (query: InvoiceQuery): string => listAddress(path, query);

export const InvoiceFilter = ({ query }: { query: InvoiceQuery }) => (
  <FilterForm action={path} filters={query}>
    <Select label="Status" name="status" defaultValue={query.status ?? ""}>
      <option value="">All statuses</option>
      <Options labels={invoiceStatusLabels} />
    </Select>
    <CurrencyField value={query.currency} />
  </FilterForm>
);
