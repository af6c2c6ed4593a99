import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { findMerchantApiLog } from "../../merchants/logs/find-api-log.ts";
import { listMerchantApiLogs } from "../../merchants/logs/list-api-logs.ts";
import { byMerchant, inputMerchant, memberProcedure, ofInput, pageFields, readsReplica, router } from "../init.ts";
import { toApiLog, toApiLogDetail } from "./log-views.ts";

const byRequest = z.object({ requestId: z.string().max(64) });

const findLogMerchant = ofInput(
  byRequest,
  async (deps, input) => (await findMerchantApiLog(deps, input))?.merchantId ?? null,
);

const instant = z.iso.datetime().transform((text) => new Date(text));

/** The API requests of a merchant's clients, for 30 days (docs/spec/portal.md, API logs). */
export const logsRouter = router({
  list: memberProcedure("log.list", inputMerchant)
    .use(readsReplica)
    .input(
      byMerchant.extend({
        clientId: z.string().max(64).optional(),
        method: z.enum(["GET", "POST", "PUT", "DELETE"]).optional(),
        path: z.string().max(200).optional(),
        statusClass: z.int().min(2).max(5).optional(),
        requestId: z.string().max(64).optional(),
        from: instant.optional(),
        until: instant.optional(),
        ...pageFields(),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { logs, hasMore } = await listMerchantApiLogs(ctx.deps, input);
      return { logs: logs.map(toApiLog), hasMore };
    }),

  log: memberProcedure("log.read", findLogMerchant)
    .input(byRequest)
    .query(async ({ ctx, input }) => {
      const log = await findMerchantApiLog(ctx.deps, input);
      if (!log) throw new TRPCError({ code: "NOT_FOUND", message: "Not found." });
      return toApiLogDetail(log);
    }),
});
