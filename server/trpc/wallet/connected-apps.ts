import { z } from "zod";
import { disconnectClient } from "../../oauth/connected/disconnect-client.ts";
import { listConnectedClients } from "../../oauth/connected/list-connected-clients.ts";
import { accountProcedure, router } from "../init.ts";

/** The clients that can act for the payer. */
export const connectedAppsRouter = router({
  list: accountProcedure("connected_app.list").query(async ({ ctx }) => {
    const clients = await listConnectedClients(ctx.deps, { payerId: ctx.account.id });
    return clients.map((client) => ({
      ...client,
      connectedAt: client.connectedAt.toISOString(),
      consentedAt: client.consentedAt.toISOString(),
    }));
  }),

  /** Ends all grants of the payer to the client. */
  disconnect: accountProcedure("connected_app.disconnect")
    .input(z.object({ clientId: z.string().max(64) }))
    .mutation(async ({ ctx, input }) => ({
      ended: await disconnectClient(ctx.deps, {
        ...input,
        payerId: ctx.account.id,
        requestId: ctx.info.requestId,
      }),
    })),
});
