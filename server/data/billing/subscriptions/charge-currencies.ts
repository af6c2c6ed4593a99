import { addSeconds } from "../../../kernel/time/clock.ts";
import { holding } from "../../charges/charges.ts";
import { type Sql, statement } from "../../client.ts";

// The sums of charges have few rows per day. They lag behind the charges, by days if the sandbox's clock was moved.
const list = statement<{ currency: string }>(
  "list_charge_currencies",
  `SELECT currency FROM charge_sum WHERE merchant_id = $1 AND slot >= $2::timestamptz AND captured > 0
   UNION
   SELECT currency FROM charge WHERE merchant_id = $1 AND amount_captured > 0 AND created_at >= least($3::timestamptz,
       coalesce((SELECT max(slot) FROM charge_sum WHERE merchant_id = $1 AND slot >= $2::timestamptz), $2::timestamptz))
   UNION
   SELECT currency FROM charge WHERE merchant_id = $1 AND state IN ${holding}
    ORDER BY currency`,
);

const lagSeconds = 2 * 3_600;

type Span = { merchantId: string; since: Date; now: Date };

/**
 * The currencies of the captured charges that the merchant made since `since`, and of charges that can still be
 * captured.
 */
export const listChargeCurrencies = async (sql: Sql, { merchantId, since, now }: Span): Promise<string[]> =>
  (await sql.query(list, [merchantId, since, addSeconds(now, -lagSeconds)])).map(({ currency }) => currency);
