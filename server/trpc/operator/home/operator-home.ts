import { z } from "zod";
import {
  findServiceCharges,
  findServiceQueues,
  findServiceRequests,
} from "../../../operators/figures/find-service-figures.ts";
import { figureRanges } from "../../../platform/metrics/rules/request-figures.ts";
import { findBudgetBoard } from "../../../status/board/find-budget-board.ts";
import { accountProcedure, router } from "../../init.ts";
import { toBudgetsLeft, toServiceQueues, toServiceRequests } from "./operator-home-views.ts";

const byRange = z.object({ range: z.enum(figureRanges).default("hour") }).prefault({});
const procedure = accountProcedure("service_figures.read");

/** The parts of the console's home page, each of which may fail alone (docs/spec/portal.md, Live figures). */
export const operatorHomeRouter = router({
  requests: procedure
    .input(byRange)
    .query(async ({ ctx: { deps }, input }) => toServiceRequests(await findServiceRequests(deps, input))),

  queues: procedure.query(async ({ ctx: { deps } }) => toServiceQueues(await findServiceQueues(deps))),

  charges: procedure.input(byRange).query(({ ctx: { deps }, input }) => findServiceCharges(deps, input)),

  /** Null in the sandbox, which the status page doesn't cover. */
  budgets: procedure.query(async ({ ctx: { deps } }) => {
    const budgets = await findBudgetBoard(deps);
    return budgets && toBudgetsLeft({ ...budgets, statusUrl: deps.config.statusUrl });
  }),
});
