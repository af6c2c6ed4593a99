import { createCallerFactory, router } from "./init.ts";
import { appsRouter } from "./routers/apps.ts";
import { authRouter } from "./routers/auth.ts";
import { operatorRouter } from "./routers/operator.ts";
import { operatorAgentsRouter } from "./routers/operator-agents.ts";
import { operatorMaintenanceRouter } from "./routers/operator-maintenance.ts";
import { operatorMandatesRouter } from "./routers/operator-mandates.ts";
import { operatorMerchantsRouter } from "./routers/operator-merchants.ts";
import { operatorServiceRouter } from "./routers/operator-service.ts";
import { operatorStatusRouter } from "./routers/operator-status.ts";
import { passkeysRouter } from "./routers/passkeys.ts";
import { paymentsRouter } from "./routers/payments.ts";
import { walletRouter } from "./routers/wallet.ts";
import { webhooksRouter } from "./routers/webhooks.ts";

/** What the pages call. The status process answers routers of its own (routers/status.ts). */
export const appRouter = router({
  apps: appsRouter,
  auth: authRouter,
  passkeys: passkeysRouter,
  wallet: walletRouter,
  operator: operatorRouter,
  operatorAgents: operatorAgentsRouter,
  operatorMaintenance: operatorMaintenanceRouter,
  operatorMandates: operatorMandatesRouter,
  operatorMerchants: operatorMerchantsRouter,
  operatorService: operatorServiceRouter,
  operatorStatus: operatorStatusRouter,
  payments: paymentsRouter,
  webhooks: webhooksRouter,
});

export type AppRouter = typeof appRouter;

/** For pages that render on the server: the same procedures and the same decisions, without HTTP. */
export const createCaller = createCallerFactory(appRouter);
