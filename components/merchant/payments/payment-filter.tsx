import type { PaymentShow } from "#server/charges/lists/payment-shows.ts";
import type { Reader } from "../../format/reader.ts";
import { DateFilter } from "../../portal/lists/date-filter.tsx";
import type { DateRange } from "../../portal/lists/date-range.ts";
import { FilterForm, SearchField } from "../../portal/lists/filter-form.tsx";
import { listAddress } from "../../portal/lists/list-address.ts";
import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";

const shows = {
  paid: "Paid",
  authorized: "Awaiting capture",
  under_way: "In progress",
  failed: "Declined, voided or expired",
  refunded: "Refunded",
  disputed: "Disputed",
} as const satisfies Readonly<Record<PaymentShow, string>>;

export const isPaymentShow = (text: unknown): text is PaymentShow =>
  typeof text === "string" && Object.hasOwn(shows, text);

/** The filters in the URL of the list. `q`: the start of a reference, or the id of a payment. */
export type PaymentQuery = {
  show?: PaymentShow | undefined;
  q?: string | undefined;
  mandate?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  after?: string | undefined;
};

const path = "/merchant/payments";
export const paymentsAddress = (query: PaymentQuery): string => listAddress(path, query);

/**
 * Address of the file with all rows that match the filters. It contains the range as instants, because the server can't
 * interpret days without the reader's time zone.
 */
export const paymentsCsvAddress = (
  merchantId: string,
  { show, q, mandate }: PaymentQuery,
  { start, end }: Pick<DateRange, "start" | "end">,
): string =>
  listAddress(`${path}/export.csv`, {
    merchant: merchantId,
    show,
    q,
    mandate,
    from: start?.toISOString(),
    to: end?.toISOString(),
  });

type Props = { query: PaymentQuery; range: DateRange; now: Date; reader: Reader };

export const PaymentFilter = ({ query, range, now, reader }: Props) => (
  <FilterForm action={path} filters={query} range={range}>
    <SearchField label="Reference or payment ID" value={query.q} />
    <Field label="Mandate ID" name="mandate" type="search" defaultValue={query.mandate} maxLength={64} />
    <Select label="Status" name="show" defaultValue={query.show ?? ""}>
      <option value="">All statuses</option>
      <Options labels={shows} />
    </Select>
    <DateFilter
      range={range}
      now={now}
      reader={reader}
      addressOf={(dates) => paymentsAddress({ ...query, ...dates, after: undefined })}
    />
  </FilterForm>
);
