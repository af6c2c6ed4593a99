/**
 * SQL: whether a subscription credits the fee of a charge that subscription `s` billed, for a refund at a time in one of
 * its own periods. It is the charge's own subscription until its last period, which is 36 days long. Later, it is the
 * newest subscription at that time, so that each refund is credited once (docs/spec/billing.md, The billing run).
 */
export const isCreditedBy = (subscriptionId: string, time: string): string =>
  `(s.id = ${subscriptionId} OR (s.ended_at + interval '36 days' <= ${time} AND NOT EXISTS (
     SELECT FROM billing_subscription h JOIN billing_subscription n ON n.merchant_id = h.merchant_id
        AND (n.created_at, n.id) > (h.created_at, h.id) JOIN billing_period f ON f.subscription_id = n.id
      WHERE h.id = ${subscriptionId} AND f."from" <= ${time}
        AND (n.ended_at IS NULL OR ${time} < n.ended_at + interval '36 days'))))`;
