import { z } from "zod";
import { listPublicPlans } from "../../billing/catalogue/list-public-plans.ts";
import { publicPlanSchema, toPublicPlan } from "../../billing/catalogue/public-plan.wire.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { pageQuerySchema, toPage } from "../../contract/pagination.ts";
import { currencyProblem, isCurrency } from "../../kernel/money/money.ts";

const currency = z
  .string()
  .refine(isCurrency, currencyProblem)
  .optional()
  .describe("Returns only plans with prices in this currency, and only amounts in this currency");

export const listPlansEndpoint = defineEndpoint({
  method: "GET",
  path: "/billing/plans",
  operationId: "listPlans",
  summary: "List the public plans in the version that is in effect, sorted by id",
  tag: "Billing",
  standards: ["RFC 9457"],
  auth: { kind: "none" },
  errors: "problem",
  errorCodes: ["invalid_request"],
  isPublic: true,
  request: { query: z.object({ currency, ...pageQuerySchema.shape }) },
  responses: {
    200: {
      description:
        "Plans that accept new subscriptions. has_more says whether more items follow. In a request with ending_before, it says whether more items come before this page",
      schema: z.object({ data: z.array(publicPlanSchema), has_more: z.boolean() }),
      example: {
        data: [
          {
            id: "pro",
            version: 2,
            name: "Pro",
            effective_from: "2027-01-01",
            interval: "month",
            currency: "EUR",
            currencies: ["EUR"],
            flat: 4900,
            minimum: 10000,
            maximum: null,
            trial_days: 14,
            prices: [
              { meter: "tokens_issued", model: "graduated", tiers: [{ up_to: 10000, unit: "0" }, { unit: "0.8" }] },
              { meter: "successful_charges", model: "basis_points", rate: "29", min: "5", max: "1200" },
              { meter: "own:sms_sent", model: "package", size: 100, amount: 500, free_units: 200 },
            ],
          },
        ],
        has_more: false,
      },
    },
  },
  async handle({ deps }, { query }) {
    const { currency: code = null, ...page } = query;
    const { plans, hasMore } = await listPublicPlans(deps, { currency: code, ...toPage(page) });
    const data = plans.map((plan) => toPublicPlan(plan, code));
    return { status: 200, headers: noStore, body: { data, has_more: hasMore } };
  },
});
