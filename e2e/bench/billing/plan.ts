import { applyCatalogue } from "#server/billing/catalogue/apply-catalogue.ts";
import { makeProcessDeps } from "#server/charges/charge/process-deps.fixture.ts";
import { StartError } from "#server/cli/supervisor/steps.ts";
import type { Deps } from "#server/deps/deps.ts";

export const benchPlan = "bench";
export const ownMeters = ["sms", "searches", "storage", "exports"] as const;

const file = (today: string): string => `catalogue: 1
plans:
  ${benchPlan}:
    name: Bench
    effective_from: ${today}
    interval: month
    currencies:
      EUR:
        flat: 4900
        minimum: 10000
        prices:
          tokens_issued: {model: graduated, tiers: [{up_to: 10000, unit: "0"}, {unit: "0.8"}]}
          introspections: {model: per_unit, unit: "0.1"}
          verifications: {model: per_unit, unit: "0.5"}
          successful_charges: {model: basis_points, rate: "29", min: "5", max: "1200"}
          active_mandates: {model: per_unit, unit: "2"}
${ownMeters.map((meter) => `          "own:${meter}": {model: graduated, tiers: [{up_to: 10000, unit: "0.5"}, {unit: "0.25"}]}`).join("\n")}
`;

/** Creates the `Deps` of this process for the database, and applies the catalogue with the plan of the benchmark. */
export const makeBenchDeps = async (databaseUrl: string): Promise<Deps> => {
  const deps = makeProcessDeps({ databaseUrl, simulatorUrl: "http://127.0.0.1:1", simulatorKey: "bench" });
  const by = { actor: { kind: "operator", id: "acc_bench" }, requestId: "req_bench" } as const;
  const text = file((await deps.businessClock.now()).toISOString().slice(0, 10));
  const applied = await applyCatalogue(deps, { text, isDryRun: false, ...by });
  if (applied.outcome === "refused") throw new StartError(`the plan was refused: ${JSON.stringify(applied.problems)}`);
  return deps;
};
