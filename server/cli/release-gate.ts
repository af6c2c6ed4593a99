import { parseArgs } from "node:util";
import { z } from "zod";
import { connectDatabase } from "../data/client.ts";
import { databaseTimeouts } from "../data/timeouts.ts";
import { isUnavailable } from "../data/unavailable.ts";
import { systemClock } from "../kernel/time/clock.ts";
import { readVariables, toConfig } from "../platform/config.ts";
import { ConfigError } from "../platform/settings/config-error.ts";
import { loadBoard } from "../status/board/load-board.ts";
import { withStartedMaintenances } from "../status/rules/maintenance/started-maintenances.ts";
import { evaluateReleaseGate } from "../status/rules/uptime/release-gate.ts";
import { toErrorBudgets } from "../trpc/status/status-views.ts";
import { errorBudgetsSchema } from "../trpc/status/uptime.wire.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { enterService } from "./service/started-service.ts";
import { databaseAway } from "./service/with-deps.ts";

const usage = `npm run release:gate                 checks in the database whether this month's error budgets allow a release
npm run release:gate -- --url U      reads the budgets from the status page at U, for example https://status.example.com
exits with 1 when a component's budget is used up or no budget can be determined`;

answerHelp(usage);

const refuse = (problem: string): never => {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
};

const readUrl = (): string | undefined => {
  try {
    return parseArgs({ options: { url: { type: "string" } } }).values.url;
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
};

/** The members on which the decision depends. A status page of another version may have additional members. */
const budgetsSchema = errorBudgetsSchema.pick({ month: true, components: true });
type Budgets = z.infer<typeof budgetsSchema>;
const timeoutMilliseconds = 10_000;

const ask = async (url: string): Promise<Budgets> => {
  const address = `${url.replace(/\/+$/, "")}/status/v1/error-budgets`;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMilliseconds) });
    if (!response.ok) return refuse(`${address}: answered ${response.status}`);
    const budgets = z.safeParse(budgetsSchema, await response.json());
    return budgets.success ? budgets.data : refuse(`${address}: returned no error budgets`);
  } catch {
    return refuse(`${address}: no server answers, or the answer isn't JSON`);
  }
};

const readDatabase = async (): Promise<Budgets> => {
  await enterService("production");
  const config = toConfig(readVariables(process.env));
  const { databaseUrl, statusUrl } = config;
  const db = connectDatabase(databaseUrl, 1, databaseTimeouts(config, "command"));
  try {
    const board = withStartedMaintenances(await loadBoard({ db, clock: systemClock }), systemClock.now());
    return toErrorBudgets({ board, now: systemClock.now(), statusUrl });
  } finally {
    await db.close();
  }
};

try {
  const url = readUrl();
  const { month, components } = await (url === undefined ? readDatabase() : ask(url));
  const { isOpen, lines } = evaluateReleaseGate(month, components);
  for (const line of lines) process.stdout.write(`${line}\n`);
  process.exitCode = isOpen ? 0 : 1;
} catch (error) {
  if (!isUnavailable(error) && !(error instanceof ConfigError)) throw error;
  refuse(error instanceof ConfigError ? error.message : databaseAway);
}
process.disconnect?.();
