import { type Invariant, invariant } from "./invariant.ts";

/** The rules of the ledger and of the tables that must agree with it (docs/spec/billing.md, Ledger). */
export const billingInvariants: readonly Invariant[] = [
  invariant(
    "ledger_zero",
    "a ledger transaction sums to zero in each currency",
    `SELECT transaction_id AS subject, format('%s in %s', sum(amount), currency) AS problem
     FROM billing_ledger_entry GROUP BY transaction_id, currency HAVING sum(amount) <> 0`,
  ),
  invariant(
    "ledger_balances",
    "a ledger balance is the sum of its entries",
    `SELECT concat_ws(' ', merchant_id, account, currency) AS subject,
       format('%s posted and %s pending, but its entries sum to %s and %s', b.posted, b.pending, s.posted, s.pending) AS problem
     FROM billing_ledger_balance b FULL JOIN (
       SELECT e.merchant_id, e.account, e.currency, coalesce(sum(e.amount) FILTER (WHERE t.state = 'posted'), 0) AS posted,
         coalesce(sum(e.amount) FILTER (WHERE t.state = 'pending'), 0) AS pending
       FROM billing_ledger_entry e JOIN billing_ledger_transaction t ON t.id = e.transaction_id GROUP BY 1, 2, 3
     ) s USING (merchant_id, account, currency)
     WHERE coalesce(b.posted, 0) <> coalesce(s.posted, 0) OR coalesce(b.pending, 0) <> coalesce(s.pending, 0)`,
  ),
  invariant(
    "ledger_receivable",
    "the receivable of a merchant is the sum of the amounts due of its open invoices",
    `SELECT concat_ws(' ', merchant_id, currency) AS subject, format('%s due, but %s receivable', i.due, b.posted) AS problem
     FROM (SELECT merchant_id, currency, sum(amount_due) AS due FROM billing_invoice WHERE status = 'open' GROUP BY 1, 2) i
     FULL JOIN (SELECT merchant_id, currency, posted FROM billing_ledger_balance WHERE account = 'receivable') b USING (merchant_id, currency)
     WHERE coalesce(i.due, 0) <> coalesce(b.posted, 0)`,
  ),
  ...(
    [
      ["customer_credit", "= 'credit_note'"],
      ["prepaid", "<> 'credit_note'"],
    ] as const
  ).map(([account, kinds]) =>
    invariant(
      `ledger_${account}`,
      `the balance of ${account} is the remaining amount of a merchant's credits`,
      `SELECT concat_ws(' ', merchant_id, currency) AS subject, format('%s left, but the balance is %s', g.remaining, -b.posted) AS problem
       FROM (SELECT merchant_id, currency, sum(remaining) AS remaining FROM billing_credit_grant WHERE kind ${kinds} GROUP BY 1, 2) g
       FULL JOIN (SELECT merchant_id, currency, posted FROM billing_ledger_balance WHERE account = '${account}') b USING (merchant_id, currency)
       WHERE coalesce(g.remaining, 0) <> -coalesce(b.posted, 0)`,
    ),
  ),
  invariant(
    "credit_uses",
    "the remaining amount of a credit is its granted amount less its uses",
    `SELECT g.id AS subject, format('%s left of %s, but %s used', g.remaining, g.granted, u.used) AS problem
     FROM billing_credit_grant g LEFT JOIN (SELECT grant_id, sum(amount) AS used FROM billing_credit_use GROUP BY 1) u ON u.grant_id = g.id
     WHERE g.remaining <> g.granted - coalesce(u.used, 0)`,
  ),
  invariant(
    "invoice_credits",
    "the credits applied to an invoice are its uses of credit grants",
    `SELECT i.id AS subject, format('%s applied, but %s used', i.credit_applied + i.prepaid_applied, coalesce(u.used, 0)) AS problem
     FROM billing_invoice i LEFT JOIN (SELECT invoice_id, sum(amount) AS used FROM billing_credit_use GROUP BY 1) u ON u.invoice_id = i.id
     WHERE i.status <> 'draft' AND i.type = 'invoice' AND coalesce(u.used, 0) <> CASE i.status WHEN 'void' THEN 0 ELSE i.credit_applied + i.prepaid_applied END`,
  ),
  invariant(
    "returned_credits",
    "credit notes return to a credit at most the amount that their invoice took from the credit",
    `SELECT concat_ws(' ', coalesce(i.corrects, i.id), u.grant_id) AS subject, format('%s more given back than used', -sum(u.amount)) AS problem
     FROM billing_credit_use u JOIN billing_invoice i ON i.id = u.invoice_id
     GROUP BY coalesce(i.corrects, i.id), u.grant_id HAVING sum(u.amount) < 0`,
  ),
  invariant(
    "invoice_posted",
    "a final invoice or credit note is in the ledger, unless it moves no amount",
    `SELECT i.id AS subject, i.status || ' without ledger entries' AS problem FROM billing_invoice i
     WHERE i.status <> 'draft' AND i.total + i.discount + i.to_credit_balance <> 0
       AND NOT EXISTS (SELECT FROM billing_ledger_transaction t WHERE t.source_id = i.id AND t.source_type = i.type)`,
  ),
  invariant(
    "invoice_payments",
    "the paid amount of a merchant's invoices is its payments in the ledger, less the part that became credit balance",
    `SELECT concat_ws(' ', merchant_id, currency) AS subject, format('%s paid, but the ledger has %s', coalesce(i.paid, 0), coalesce(p.posted, 0)) AS problem
     FROM (SELECT merchant_id, currency, sum(amount_paid) AS paid FROM billing_invoice WHERE amount_paid <> 0 GROUP BY 1, 2) i
     FULL JOIN (
       SELECT e.merchant_id, e.currency, -sum(e.amount) AS posted FROM billing_ledger_transaction t
         JOIN billing_ledger_entry e ON e.transaction_id = t.id AND e.account = 'receivable'
        WHERE t.source_type = 'payment' AND t.kind IN ('payment', 'overpayment') AND t.state = 'posted' GROUP BY 1, 2
     ) p USING (merchant_id, currency)
     WHERE coalesce(i.paid, 0) <> coalesce(p.posted, 0)`,
  ),
  invariant(
    "payment_posted",
    "the state of a payment is also the state of its ledger transaction",
    `SELECT p.id AS subject, format('%s, but %s in the ledger', p.state, coalesce(t.state, 'nothing')) AS problem
     FROM billing_payment p LEFT JOIN billing_ledger_transaction t ON t.source_type = 'payment' AND t.source_id = p.id AND t.kind = 'payment'
     WHERE t.state IS DISTINCT FROM CASE p.state WHEN 'pending' THEN 'pending' WHEN 'succeeded' THEN 'posted' ELSE 'voided' END`,
  ),
  invariant(
    "invoice_collected",
    "an open invoice has a next step of collection, unless all steps are done",
    `SELECT i.id AS subject, 'open, but it is not collected' AS problem
     FROM billing_invoice i LEFT JOIN billing_collection c ON c.invoice_id = i.id
     WHERE i.status = 'open' AND c.due_at IS NULL AND c.suspended_at IS NULL`,
  ),
  invariant(
    "sla_credits",
    "the SLA credits on an invoice's lines are those that name the invoice",
    `SELECT i.id AS subject, format('%s credited, but %s on its lines', coalesce(c.exact, 0), coalesce(l.exact, 0)) AS problem
     FROM (SELECT invoice_id, -sum(exact) AS exact FROM billing_invoice_line WHERE kind = 'sla_credit' GROUP BY 1) l
     FULL JOIN (SELECT invoice_id, sum(exact) AS exact FROM billing_sla_credit WHERE invoice_id IS NOT NULL GROUP BY 1) c USING (invoice_id)
     JOIN billing_invoice i ON i.id = invoice_id
     WHERE i.type = 'invoice' AND i.status NOT IN ('draft', 'void') AND coalesce(c.exact, 0) <> coalesce(l.exact, 0)`,
  ),
  invariant(
    "invoice_numbers",
    "invoices are numbered without gaps",
    `SELECT concat_ws(' ', n.series, n.year) AS subject, format('%s numbers taken, but %s issued', n.last, count(i.id)) AS problem
     FROM billing_number n LEFT JOIN billing_invoice i ON i.number LIKE n.series || '-' || n.year || '-%'
     GROUP BY n.series, n.year, n.last HAVING count(i.id) <> n.last`,
  ),
  invariant(
    "revenue_sums",
    "the sums of revenue equal the lines of all issued invoices, less credit notes and void invoices",
    `WITH line AS (
       SELECT CASE s.sign WHEN -1 THEN i.closed_at ELSE i.issued_at END AS at, i.currency, coalesce(l.plan_id, i.plan_id) AS plan_id,
         coalesce(l.meter, l.kind) AS item, l.net * s.sign * CASE i.type WHEN 'credit_note' THEN -1 ELSE 1 END AS net
       FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
       JOIN (VALUES (1), (-1)) s (sign) ON s.sign = 1 OR i.status = 'void' WHERE i.status <> 'draft'
     ), wanted AS (
       SELECT date_trunc('month', at AT TIME ZONE 'UTC')::date AS month, currency, plan_id, item, sum(net) AS net FROM line GROUP BY 1, 2, 3, 4
     )
     SELECT concat_ws(' ', month, currency, plan_id, item) AS subject, format('%s, but the lines sum to %s', r.net, w.net) AS problem
     FROM billing_revenue r FULL JOIN wanted w USING (month, currency, plan_id, item) WHERE coalesce(r.net, 0) <> coalesce(w.net, 0)`,
  ),
];
