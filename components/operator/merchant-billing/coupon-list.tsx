import type { OperatorMerchantBilling } from "#server/trpc/operator/billing/read-merchant-billing.ts";
import { formatShortDate } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import { RemoveCoupon } from "./change-coupon.tsx";

/** The coupons of the subscription, newest first, including ended ones. */
export const CouponList = ({
  billing,
  email,
  now,
  reader,
}: {
  billing: OperatorMerchantBilling;
  email: string;
  now: Date;
  reader: Reader;
}) => (
  <Table
    caption="Coupons"
    columns={["Coupon", { date: "Applied" }, { date: "Ends" }, { short: "Status" }, { acts: "Actions" }]}
  >
    <tbody>
      {billing.coupons.map((coupon) => (
        <tr key={coupon.id}>
          <td>
            {coupon.code}
            <CellNote>version {coupon.version}</CellNote>
          </td>
          <td className="muted">
            <Time at={coupon.appliedAt} now={now} reader={reader} />
          </td>
          <td className="muted">
            {coupon.endsAt === null ? "Never" : formatShortDate(new Date(coupon.endsAt), reader)}
          </td>
          <td>{coupon.isCurrent ? <Pill tone="good">Applies</Pill> : <Pill tone="neutral">Ended</Pill>}</td>
          <td>
            {coupon.isCurrent ? (
              <RemoveCoupon merchantId={billing.merchant.id} code={coupon.code} email={email} />
            ) : null}
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
