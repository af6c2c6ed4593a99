import { z } from "zod";
import { findServiceFigures } from "../../../operators/figures/find-service-figures.ts";
import { figureRanges } from "../../../platform/metrics/rules/request-figures.ts";
import { findBudgetBoard } from "../../../status/board/find-budget-board.ts";
import { accountProcedure, router } from "../../init.ts";
import { toBudgetsLeft, toServiceFigures } from "./operator-home-views.ts";

/** The home page of the console (docs/spec/portal.md, Live figures). */
export const operatorHomeRouter = router({
  figures: accountProcedure("service_figures.read")
    .input(z.object({ range: z.enum(figureRanges).default("hour") }).prefault({}))
    .query(async ({ ctx: { deps }, input }) => {
      const [figures, budgets] = await Promise.all([findServiceFigures(deps, input), findBudgetBoard(deps)]);
      return {
        ...toServiceFigures(figures),
        /** null in the sandbox, which the status page doesn't cover */
        budgets: budgets && toBudgetsLeft({ ...budgets, statusUrl: deps.config.statusUrl }),
      };
    }),
});
