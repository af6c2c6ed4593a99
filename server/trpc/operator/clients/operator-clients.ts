import { z } from "zod";
import { deleteOAuthClient } from "../../../operators/clients/delete-oauth-client.ts";
import { getOAuthClient } from "../../../operators/clients/get-oauth-client.ts";
import { listOAuthClients } from "../../../operators/clients/list-oauth-clients.ts";
import { accountProcedure, operatorProcedure, pageFields, readsReplica, router } from "../../init.ts";
import { operatorOf, reason } from "../operator-fields.ts";
import { toClientForOperator, toFoundClient } from "./client-views.ts";

const byClient = z.object({ clientId: z.string().max(64) });

/** All OAuth clients: agents and merchants' apps. */
export const operatorClientsRouter = router({
  list: accountProcedure("oauth_client.list")
    .use(readsReplica)
    .input(
      z.object({
        search: z.string().trim().min(1).max(200).optional(),
        kind: z.enum(["agent", "merchant"]).optional(),
        state: z.enum(["active", "deleted"]).optional(),
        ...pageFields(50),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { clients, hasMore } = await listOAuthClients(ctx.deps, input);
      return { clients: clients.map(toFoundClient), hasMore };
    }),

  get: operatorProcedure("oauth_client.read")
    .input(byClient)
    .query(async ({ ctx, input }) => toClientForOperator(await getOAuthClient(ctx.deps, input))),

  delete: operatorProcedure("oauth_client.delete")
    .input(byClient.extend({ reason }))
    .mutation(async ({ ctx, input }) => {
      await deleteOAuthClient(ctx.deps, { ...input, ...operatorOf(ctx) });
      return { ok: true };
    }),
});
