import { authRouter } from "./auth.ts";
import { createCallerFactory, router } from "./init.ts";
import { appsRouter } from "./merchant/apps.ts";
import { merchantAuditRouter } from "./merchant/audit/merchant-audit.ts";
import { merchantBudgetsRouter } from "./merchant/billing/budgets/merchant-budgets.ts";
import { merchantCollectionRouter } from "./merchant/billing/collection/merchant-collection.ts";
import { merchantLedgerRouter } from "./merchant/billing/ledger/merchant-ledger.ts";
import { merchantBillingRouter } from "./merchant/billing/merchant-billing.ts";
import { merchantPlansRouter } from "./merchant/billing/merchant-plans.ts";
import { merchantTaxRouter } from "./merchant/billing/tax/merchant-tax.ts";
import { merchantUsageRouter } from "./merchant/billing/usage/merchant-usage.ts";
import { entryFederationRouter } from "./merchant/directory/entry-federation.ts";
import { entryTransfersRouter } from "./merchant/directory/entry-transfers.ts";
import { merchantDirectoryRouter } from "./merchant/directory/merchant-directory.ts";
import { softwareStatementsRouter } from "./merchant/directory/software-statements.ts";
import { disputesRouter } from "./merchant/disputes.ts";
import { firstStepsRouter } from "./merchant/first-steps.ts";
import { logsRouter } from "./merchant/logs.ts";
import { merchantMandatesRouter } from "./merchant/mandates/mandates.ts";
import { merchantsRouter } from "./merchant/merchants.ts";
import { paymentsRouter } from "./merchant/payments.ts";
import { processorRouter } from "./merchant/processor.ts";
import { settingsRouter } from "./merchant/settings/settings.ts";
import { teamRouter } from "./merchant/team.ts";
import { webhooksRouter } from "./merchant/webhooks.ts";
import { operatorDunningRouter } from "./operator/billing/operator-dunning.ts";
import { operatorInvoicesRouter } from "./operator/billing/operator-invoices.ts";
import { operatorMerchantBillingRouter } from "./operator/billing/operator-merchant-billing.ts";
import { operatorReconciliationRouter } from "./operator/billing/operator-reconciliation.ts";
import { operatorRevenueRouter } from "./operator/billing/operator-revenue.ts";
import { operatorBlocklistRouter } from "./operator/blocklist/operator-blocklist.ts";
import { operatorChargesRouter } from "./operator/charges/operator-charges.ts";
import { operatorDisputesRouter } from "./operator/charges/operator-disputes.ts";
import { operatorClientsRouter } from "./operator/clients/operator-clients.ts";
import { operatorDirectoryRouter } from "./operator/directory/operator-directory.ts";
import { operatorHomeRouter } from "./operator/home/operator-home.ts";
import { operatorRouter } from "./operator/operator.ts";
import { operatorAgentsRouter } from "./operator/operator-agents.ts";
import { operatorMaintenanceRouter } from "./operator/operator-maintenance.ts";
import { operatorMandatesRouter } from "./operator/operator-mandates.ts";
import { operatorMerchantsRouter } from "./operator/operator-merchants.ts";
import { operatorSecondFactorRouter } from "./operator/operator-second-factor.ts";
import { operatorServiceRouter } from "./operator/operator-service.ts";
import { operatorStatusRouter } from "./operator/operator-status.ts";
import { operatorTeamRouter } from "./operator/operator-team.ts";
import { operatorPayersRouter } from "./operator/payers/operator-payers.ts";
import { operatorPlansRouter } from "./operator/plans/operator-plans.ts";
import { connectedAppsRouter } from "./wallet/connected-apps.ts";
import { notificationsRouter } from "./wallet/notifications.ts";
import { passkeysRouter } from "./wallet/passkeys.ts";
import { privacyRouter } from "./wallet/privacy.ts";
import { profileRouter } from "./wallet/profile.ts";
import { securityRouter } from "./wallet/security.ts";
import { walletRouter } from "./wallet/wallet.ts";

/** The procedures of the pages. The status process has its own router (status/status.ts). */
export const appRouter = router({
  apps: appsRouter,
  auth: authRouter,
  entryFederation: entryFederationRouter,
  entryTransfers: entryTransfersRouter,
  firstSteps: firstStepsRouter,
  logs: logsRouter,
  merchants: merchantsRouter,
  merchantAudit: merchantAuditRouter,
  merchantBilling: merchantBillingRouter,
  merchantBudgets: merchantBudgetsRouter,
  merchantDirectory: merchantDirectoryRouter,
  merchantLedger: merchantLedgerRouter,
  merchantMandates: merchantMandatesRouter,
  merchantCollection: merchantCollectionRouter,
  merchantPlans: merchantPlansRouter,
  merchantTax: merchantTaxRouter,
  merchantUsage: merchantUsageRouter,
  connectedApps: connectedAppsRouter,
  notifications: notificationsRouter,
  passkeys: passkeysRouter,
  profile: profileRouter,
  security: securityRouter,
  privacy: privacyRouter,
  wallet: walletRouter,
  operator: operatorRouter,
  operatorAgents: operatorAgentsRouter,
  operatorCharges: operatorChargesRouter,
  operatorClients: operatorClientsRouter,
  operatorDirectory: operatorDirectoryRouter,
  operatorDisputes: operatorDisputesRouter,
  operatorBlocklist: operatorBlocklistRouter,
  operatorDunning: operatorDunningRouter,
  operatorHome: operatorHomeRouter,
  operatorInvoices: operatorInvoicesRouter,
  operatorMaintenance: operatorMaintenanceRouter,
  operatorMandates: operatorMandatesRouter,
  operatorMerchantBilling: operatorMerchantBillingRouter,
  operatorMerchants: operatorMerchantsRouter,
  operatorPayers: operatorPayersRouter,
  operatorPlans: operatorPlansRouter,
  operatorReconciliation: operatorReconciliationRouter,
  operatorRevenue: operatorRevenueRouter,
  operatorSecondFactor: operatorSecondFactorRouter,
  operatorService: operatorServiceRouter,
  operatorStatus: operatorStatusRouter,
  operatorTeam: operatorTeamRouter,
  disputes: disputesRouter,
  payments: paymentsRouter,
  processor: processorRouter,
  settings: settingsRouter,
  softwareStatements: softwareStatementsRouter,
  team: teamRouter,
  webhooks: webhooksRouter,
});

export type AppRouter = typeof appRouter;

/** Creates a caller for pages that render on the server: the same procedures and access checks, without HTTP. */
export const createCaller = createCallerFactory(appRouter);
