import { initTRPC } from "@trpc/server";
import type { OpenApiMeta } from "trpc-to-openapi";
import { z } from "zod";
import type { StatusDeps } from "../../status/runtime.ts";
import { summarizeStatus } from "../../status/summarize.ts";

// The status process has a context of its own: no session, no database.
const t = initTRPC.context<{ status: StatusDeps }>().meta<OpenApiMeta>().create();

const summary = z
  .object({
    checked_at: z.iso.datetime(),
    components: z.array(
      z.object({
        id: z.enum(["authorization_server", "sandbox"]),
        name: z.string(),
        state: z.enum(["operational", "major_outage", "unknown"]),
      }),
    ),
  })
  .meta({
    example: {
      checked_at: "2026-11-21T12:00:00.000Z",
      components: [{ id: "authorization_server", name: "Authorization server", state: "operational" }],
    },
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
        // The library's words for failures are in a shape of its own, which is not what is answered (openapi-endpoint.ts).
        errorResponses: {},
      },
    })
    .input(z.void())
    .output(summary)
    .query(async ({ ctx }) => {
      const { checkedAt, components } = await summarizeStatus(ctx.status);
      return { checked_at: checkedAt.toISOString(), components };
    }),
});
