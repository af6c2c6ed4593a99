import { z } from "zod";
import { listParticipants } from "../../../directory/participants/list-participants.ts";
import { statuses } from "../../../directory/participants/participant.wire.ts";
import { getEntry } from "../../../operators/entries/get-entry.ts";
import { setEntrySuspension } from "../../../operators/entries/set-entry-suspension.ts";
import { accountProcedure, operatorProcedure, router } from "../../init.ts";
import { listSearch, operatorOf, reason } from "../operator-fields.ts";
import { toEntryForOperator, toListedEntry } from "./entry-views.ts";

const byEntry = z.object({ participantId: z.string().max(64) });
const withReason = byEntry.extend({ reason });
const pageSize = 25;

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
});
