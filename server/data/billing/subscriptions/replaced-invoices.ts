/** SQL: false if invoice `i` is void and another invoice replaced it. */
export const isNotReplaced = `(i.status <> 'void' OR NOT EXISTS (
     SELECT FROM billing_invoice o WHERE o.subscription_id = i.subscription_id AND o.currency = i.currency AND o.kind = i.kind
        AND o.type = 'invoice' AND o.status NOT IN ('draft', 'void')
        AND tstzrange(o.period_from, o.period_to) && tstzrange(i.period_from, i.period_to)))`;
