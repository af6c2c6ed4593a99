import { z } from "zod";
import { listParticipants } from "../../../directory/participants/list-participants.ts";
import { environments, participantName, statuses } from "../../../directory/participants/participant.wire.ts";
import { listServer } from "../../../directory/servers/list-server.ts";
import { withdrawServer } from "../../../directory/servers/withdraw-server.ts";
import { getEntry } from "../../../operators/entries/get-entry.ts";
import { setEntrySuspension } from "../../../operators/entries/set-entry-suspension.ts";
import { accountProcedure, operatorProcedure, router } from "../../init.ts";
import { listSearch, operatorOf, reason } from "../operator-fields.ts";
import { toEntryForOperator, toListedEntry } from "./entry-views.ts";

const byEntry = z.object({ participantId: z.string().max(64) });
const withReason = byEntry.extend({ reason });
const pageSize = 25;
const shownName = z.string().trim().pipe(participantName);

/** The moderation of the directory (docs/spec/portal.md, Directory in the console). */
export const operatorDirectoryRouter = router({
  list: accountProcedure("directory_entry.list")
    .input(
      z.object({
        search: listSearch,
        status: z.enum(statuses).optional(),
        /** of an earlier page */
        cursor: z.string().max(200).optional(),
      }),
    )
    .query(async ({ ctx, input: { search, ...filter } }) => {
      const query = { ...filter, q: search, order: "newest" as const, limit: pageSize };
      const { participants, nextCursor } = await listParticipants(ctx.deps, query);
      return { entries: participants.map(toListedEntry), nextCursor };
    }),

  get: operatorProcedure("directory_entry.read")
    .input(byEntry)
    .query(async ({ ctx, input }) => toEntryForOperator(await getEntry(ctx.deps, input))),

  suspend: operatorProcedure("directory_entry.suspend")
    .input(withReason)
    .mutation(({ ctx, input }) => setEntrySuspension(ctx.deps, { ...input, isSuspended: true, ...operatorOf(ctx) })),

  resume: operatorProcedure("directory_entry.resume")
    .input(withReason)
    .mutation(({ ctx, input }) => setEntrySuspension(ctx.deps, { ...input, isSuspended: false, ...operatorOf(ctx) })),

  /** Lists another authorization server, or lists it again after its entry was withdrawn. */
  listServer: accountProcedure("directory_entry.list_server")
    .input(
      z.object({
        issuer: z.string().trim().min(1).max(500),
        displayName: shownName,
        legalName: shownName,
        environment: z.enum(environments),
        reason,
      }),
    )
    .mutation(({ ctx, input }) => listServer(ctx.deps, { ...input, ...operatorOf(ctx) })),

  withdrawServer: operatorProcedure("directory_entry.withdraw_server")
    .input(withReason)
    .mutation(({ ctx, input }) => withdrawServer(ctx.deps, { ...input, ...operatorOf(ctx) })),
});
