import { z } from "zod";
import { disconnectClient } from "../../oauth/connected/disconnect-client.ts";
import { type ConnectedClientView, listConnectedClients } from "../../oauth/connected/list-connected-clients.ts";
import { accountProcedure, pageFields, router } from "../init.ts";

const toConnectedApp = (client: ConnectedClientView) => ({
  ...client,
  connectedAt: client.connectedAt.toISOString(),
  consentedAt: client.consentedAt.toISOString(),
});

export type ConnectedApp = ReturnType<typeof toConnectedApp>;

/** The clients that can act for the payer. */
export const connectedAppsRouter = router({
  list: accountProcedure("connected_app.list")
    .input(z.object({ search: z.string().max(100).optional(), ...pageFields() }))
    .query(async ({ ctx, input }) => {
      const { clients, hasMore } = await listConnectedClients(ctx.deps, { payerId: ctx.account.id, ...input });
      return { apps: clients.map(toConnectedApp), hasMore };
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
