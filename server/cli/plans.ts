import { readFile } from "node:fs/promises";
import { applyCatalogue } from "../billing/catalogue/apply-catalogue.ts";
import { exportCatalogue } from "../billing/catalogue/export-catalogue.ts";
import { assignPlan } from "../billing/subscriptions/assign-plan.ts";
import type { Deps } from "../deps/deps.ts";
import { isDomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { type PlansArguments, readPlansArguments } from "./arguments/plans-arguments.ts";
import { appliedToJson, renderApplied, renderProblems } from "./plans/render-applied.ts";
import { withService } from "./service/with-service.ts";
import { StartError } from "./supervisor/steps.ts";

const usage = `npm run plans -- apply FILE [--dry-run] [--json]   applies a catalogue: plans, coupons and tax rates (docs/examples/plans.yaml)
npm run plans -- export                            prints the newest version of everything in the catalogue
npm run plans -- assign --merchant mch_… --plan ID [--currency EUR] [--version N]
                                                   gives a merchant a plan at once
--dry-run: reports the changes and applies nothing
exit codes of apply: 0 no change, 2 changes, 1 errors, with line and column
with --sandbox: the sandbox's catalogue. The service may be running`;
answerHelp(usage);

const fail = (error: unknown): never => {
  const problem = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${problem.split("\n", 1)[0]}\n`);
  return process.exit(1);
};

const readArguments = (): PlansArguments => {
  try {
    return readPlansArguments(process.argv.slice(2));
  } catch (error) {
    return fail(error);
  }
};

const readText = async (file: string): Promise<string> => {
  const bytes = await readFile(file).catch(() => fail(new Error(`${file}: can't be read; check the path`)));
  try {
    // The byte order mark is kept, so that the recorded hash is the hash of the file.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return fail(new Error(`${file}: isn't UTF-8`));
  }
};

const given = readArguments();
const text = given.command === "apply" ? await readText(given.file) : "";

const apply = async (deps: Deps, { isDryRun, isJson }: { isDryRun: boolean; isJson: boolean }): Promise<string> => {
  const actor = { kind: "operator", id: "command-line" } as const;
  const applied = await applyCatalogue(deps, { text, isDryRun, actor, requestId: newId("req") });
  if (applied.outcome === "refused") {
    const lines = renderProblems(applied.problems);
    if (!isJson) throw new StartError(lines);
    process.stderr.write(`${lines}\n`);
    process.exitCode = 1;
  } else if (applied.outcome === "changed") process.exitCode = 2;
  if (isJson) return JSON.stringify(appliedToJson(applied, isDryRun), null, 2);
  return applied.outcome === "refused" ? "" : renderApplied(applied, isDryRun);
};

type Assignment = Extract<PlansArguments, { command: "assign" }>;

const assign = async (deps: Deps, { merchantId, planId, version, currency }: Assignment): Promise<string> => {
  const by = { actor: { kind: "operator", id: "command-line" } as const, requestId: newId("req") };
  try {
    const { row, period } = await assignPlan(deps, { merchantId, planId, version, currency, ...by });
    const until = `${period.from.toISOString()} to ${period.to.toISOString()}`;
    return `${merchantId} has plan ${row.planId} version ${row.planVersion} in ${row.currency} (${row.id}); current period: ${until}`;
  } catch (error) {
    if (isDomainError(error)) throw new StartError(error.message);
    throw error;
  }
};

const run = async (deps: Deps): Promise<string> => {
  switch (given.command) {
    case "apply":
      return apply(deps, given);
    case "export":
      return (await exportCatalogue(deps)).trimEnd();
    case "assign":
      return assign(deps, given);
  }
};

await withService(given.isSandbox ? "sandbox" : "production", run);
process.disconnect?.();
