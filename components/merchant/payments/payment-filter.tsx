import { FilterForm } from "../../portal/lists/filter-form.tsx";
import { listAddress } from "../../portal/lists/list-address.ts";
import { Select } from "../../ui/field.tsx";

const shows = {
  paid: "Paid",
  authorized: "Awaiting capture",
  under_way: "In progress",
  failed: "Failed",
  refunded: "Refunded",
  disputed: "Disputed",
} as const;

export type PaymentShow = keyof typeof shows;
export const isPaymentShow = (text: unknown): text is PaymentShow =>
  typeof text === "string" && Object.hasOwn(shows, text);

export const paymentsAddress = ({ show, after }: { show: PaymentShow | undefined; after?: string }): string =>
  listAddress("/merchant/payments", { show, after });

export const PaymentFilter = ({ show }: { show: PaymentShow | undefined }) => (
  <FilterForm action="/merchant/payments" isFiltered={show !== undefined}>
    <Select label="Show" name="show" defaultValue={show ?? ""}>
      <option value="">All payments</option>
      {Object.entries(shows).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  </FilterForm>
);
