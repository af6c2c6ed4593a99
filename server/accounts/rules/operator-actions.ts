/** The role of an operator (docs/spec/portal.md, Operators). */
export const operatorRoles = ["admin", "support", "viewer"] as const;
export type OperatorRole = (typeof operatorRoles)[number];

export const isOperatorRole = (text: unknown): text is OperatorRole => operatorRoles.some((role) => role === text);

const everyone = operatorRoles;
const support = ["admin", "support"] as const;
const admins = ["admin"] as const;

/**
 * The roles that may perform each action. Support may suspend mandates and merchants, remove logos, retry jobs and
 * publish incidents. Only admins may manage keys, tokens, payment outcomes, invoices, credits, plans and operators.
 */
const roles = {
  "audit.read": everyone,
  "attention.read": everyone,
  "recorded_charge.list": everyone,
  "recorded_charge.read": everyone,
  "reported_dispute.list": everyone,
  "payer.list": everyone,
  "payer.read": everyone,
  "payer.sign_out": support,
  "directory_entry.list": everyone,
  "directory_entry.read": everyone,
  "directory_entry.suspend": support,
  "directory_entry.resume": support,
  "directory_entry.list_server": admins,
  "directory_entry.withdraw_server": admins,
  "oauth_client.list": everyone,
  "oauth_client.read": everyone,
  "oauth_client.delete": admins,
  "service_figures.read": everyone,
  "charge_under_review.list": everyone,
  "charge_under_review.search": support,
  "charge_under_review.settle": admins,
  "contradiction.list": everyone,
  "contradiction.close": admins,
  // A mail may contain the code or link of a sign-up or reset, so a person who reads it can take over the account.
  "mail.list": admins,
  "mail.read": admins,
  "mail.retry": admins,
  // Example data only.
  "mail_sample.read": everyone,
  "postmortem.write": support,
  "reconciliation.list": everyone,
  "reconciliation.repeat": support,
  "job.list": everyone,
  "job.retry": support,
  "signing_key.list": everyone,
  "signing_key.rotate": admins,
  "signing_key.revoke": admins,
  "blocked_key.list": everyone,
  "blocked_key.check": admins,
  "blocked_key.add": admins,
  "blocked_key.remove": admins,
  "agent_token.list": everyone,
  "agent_token.create": admins,
  "agent_token.revoke": admins,
  "registered_merchant.list": everyone,
  "registered_merchant.read": everyone,
  "registered_merchant.suspend": support,
  "registered_merchant.review": admins,
  "registered_merchant.invite": admins,
  "registered_merchant.resume": support,
  "registered_merchant.categorize": admins,
  "registered_merchant.remove_logo": support,
  "registered_merchant.forget_account": admins,
  "granted_mandate.list": everyone,
  "granted_mandate.read": everyone,
  "granted_mandate.suspend": support,
  "granted_mandate.resume": support,
  "granted_mandate.revoke": admins,
  "merchant_token.list": everyone,
  "merchant_token.revoke": admins,
  "error_budget.read": everyone,
  "incident.list": everyone,
  "incident.read": everyone,
  "incident.open": support,
  "incident.publish": support,
  "maintenance.list": everyone,
  "maintenance.read": everyone,
  "maintenance.schedule": support,
  "maintenance.publish": support,
  "sandbox_clock.advance": admins,
  "second_factor.read": everyone,
  "second_factor.set_up": everyone,
  "second_factor.enter": everyone,
  "setting.list": everyone,
  "catalogue_plan.list": everyone,
  "catalogue_plan.read": everyone,
  "billing_invoice.list": everyone,
  "billing_invoice.read": everyone,
  "billing_invoice.preview_credit": admins,
  "billing_invoice.credit": admins,
  "billing_invoice.void": admins,
  "billing_invoice.write_off": admins,
  "billing_invoice.decide_tax": admins,
  "dunning_case.list": everyone,
  "billing_payment.search": support,
  "billing_payment.settle": admins,
  "billing_revenue.read": everyone,
  "merchant_billing.read": everyone,
  "merchant_billing.grant_credit": admins,
  "merchant_billing.add_sla_credit": admins,
  "merchant_billing.change_coupon": admins,
  "merchant_billing.assign_plan": admins,
  "operator.list": everyone,
  "operator.invite": admins,
  "operator.change_role": admins,
  "operator.remove": admins,
} as const satisfies Readonly<Record<string, readonly OperatorRole[]>>;

export type OperatorAction = keyof typeof roles;

export const operatorActions: Readonly<Record<OperatorAction, readonly OperatorRole[]>> = roles;

/** The actions that set up or prove the second factor. They don't require a second factor. */
export const actionsBeforeSecondFactor: readonly OperatorAction[] = [
  "second_factor.read",
  "second_factor.set_up",
  "second_factor.enter",
];

/**
 * Actions on money, mandates, keys, tokens, merchants, payers, clients, directory entries or operators, and the reading
 * of e-mails. They need a recent authentication (docs/spec/portal.md, Recent authentication).
 */
export const riskyOperatorActions: readonly OperatorAction[] = [
  "charge_under_review.search",
  "charge_under_review.settle",
  "contradiction.close",
  "mail.read",
  "signing_key.rotate",
  "signing_key.revoke",
  "blocked_key.add",
  "blocked_key.remove",
  "agent_token.create",
  "registered_merchant.suspend",
  "registered_merchant.review",
  "registered_merchant.invite",
  "registered_merchant.resume",
  "registered_merchant.categorize",
  "registered_merchant.remove_logo",
  "registered_merchant.forget_account",
  "granted_mandate.suspend",
  "granted_mandate.resume",
  "granted_mandate.revoke",
  "directory_entry.suspend",
  "directory_entry.resume",
  "directory_entry.list_server",
  "directory_entry.withdraw_server",
  "payer.sign_out",
  "oauth_client.delete",
  "billing_invoice.credit",
  "billing_invoice.void",
  "billing_invoice.write_off",
  "billing_invoice.decide_tax",
  "billing_payment.search",
  "billing_payment.settle",
  "merchant_billing.grant_credit",
  "merchant_billing.add_sla_credit",
  "merchant_billing.change_coupon",
  "merchant_billing.assign_plan",
  "second_factor.set_up",
  "operator.invite",
  "operator.change_role",
  "operator.remove",
];

export const isOperatorAction = (action: string): action is OperatorAction => Object.hasOwn(roles, action);
