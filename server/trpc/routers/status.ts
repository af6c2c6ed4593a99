import { initTRPC } from "@trpc/server";
import type { OpenApiMeta } from "trpc-to-openapi";
import { z } from "zod";
import type { StatusDeps } from "../../status/runtime.ts";
import { summarizeStatus } from "../../status/summarize.ts";

// The status process has a context of its own: no session, no database.
const t = initTRPC.context<{ status: StatusDeps }>().meta<OpenApiMeta>().create();

const summary = z.object({
  checked_at: z.iso.datetime().meta({ example: "2026-11-21T12:00:00.000Z" }),
  components: z.array(
    z.object({
      id: z.enum(["authorization_server", "sandbox"]),
      name: z.string().meta({ example: "Authorization server" }),
      state: z.enum(["operational", "major_outage", "unknown"]),
    }),
  ),
});

export const statusRouter = t.router({
  summary: t.procedure
    .meta({
      openapi: {
        method: "GET",
        path: "/status/v1/summary",
        operationId: "getStatusSummary",
        summary: "Present state of every component",
        tags: ["Status"],
        protect: false,
      },
    })
    .input(z.void())
    .output(summary)
    .query(async ({ ctx }) => {
      const { checkedAt, components } = await summarizeStatus(ctx.status);
      return { checked_at: checkedAt.toISOString(), components };
    }),
});
