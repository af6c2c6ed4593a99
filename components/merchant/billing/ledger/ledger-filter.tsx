import type { LedgerAccount } from "#server/billing/rules/ledger/accounts.ts";
import type { Reader } from "../../../format/reader.ts";
import { DateFilter } from "../../../portal/lists/date-filter.tsx";
import type { DateRange } from "../../../portal/lists/date-range.ts";
import { CurrencyField, FilterForm } from "../../../portal/lists/filter-form.tsx";
import { listAddress } from "../../../portal/lists/list-address.ts";
import { Select } from "../../../ui/field/field.tsx";
import { Options } from "../../../ui/field/options.tsx";
import { ledgerAccountLabels } from "./ledger-labels.ts";

const path = "/merchant/billing/ledger";

export type LedgerQuery = {
  account: LedgerAccount | undefined;
  currency: string | undefined;
  from: string | undefined;
  to: string | undefined;
  after?: string | undefined;
};

export const ledgerAddress = (query: LedgerQuery): string => listAddress(path, query);

/**
 * Address of the file with all entries that match the filters. It contains the range as instants, because the server
 * can't interpret days without the reader's time zone.
 */
export const ledgerCsvAddress = (
  merchantId: string,
  { account, currency }: LedgerQuery,
  { start, end }: Pick<DateRange, "start" | "end">,
): string =>
  listAddress(`${path}/export.csv`, {
    merchant: merchantId,
    account,
    currency,
    from: start?.toISOString(),
    to: end?.toISOString(),
  });

type Props = { query: LedgerQuery; range: DateRange; now: Date; reader: Reader };

export const LedgerFilter = ({ query, range, now, reader }: Props) => (
  <FilterForm action={path} filters={query} range={range}>
    <Select label="Account" name="account" defaultValue={query.account ?? ""}>
      <option value="">All accounts</option>
      <Options labels={ledgerAccountLabels} />
    </Select>
    <CurrencyField value={query.currency} />
    <DateFilter
      range={range}
      now={now}
      reader={reader}
      addressOf={(dates) => ledgerAddress({ ...query, ...dates, after: undefined })}
    />
  </FilterForm>
);
