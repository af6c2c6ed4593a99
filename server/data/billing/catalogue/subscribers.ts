import { type Sql, statement } from "../../client.ts";

/** A current subscription to a plan. */
export type SubscriberRow = {
  subscriptionId: string;
  merchantId: string;
  merchantName: string;
  planId: string;
  planVersion: number;
  currency: string;
};

const list = statement<SubscriberRow>(
  "list_subscribers_of_plans",
  `SELECT s.id AS "subscriptionId", s.merchant_id AS "merchantId", m.display_name AS "merchantName",
          s.plan_id AS "planId", s.plan_version AS "planVersion", s.currency
     FROM billing_subscription s JOIN merchant m ON m.id = s.merchant_id
    WHERE s.plan_id = ANY ($1::text[]) AND s.ended_at IS NULL
    ORDER BY s.plan_id, m.display_name, s.id`,
);

/** The current subscriptions to these plans, in any version. */
export const listSubscribers = (sql: Sql, planIds: readonly string[]): Promise<SubscriberRow[]> =>
  sql.query(list, [planIds]);
