import { parseArgs } from "node:util";
import { recordTestOutage } from "../billing/sla/record-test-outage.ts";
import { newId } from "../kernel/ids.ts";
import { utcMonth } from "../kernel/time/utc-month.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { enterService } from "./service/started-service.ts";
import { withDeps } from "./service/with-deps.ts";

const usage = `npm run sandbox:outage -- --component billing_engine --month 2026-12 --minutes 600
records an outage in the sandbox's own database, to try out SLA credits. Production and the status page aren't affected`;
answerHelp(usage);

const fail = (problem: string): never => {
  process.stderr.write(`${problem}\n${usage}\n`);
  return process.exit(1);
};

const read = () => {
  try {
    const text = { type: "string" } as const;
    return parseArgs({ options: { component: text, month: text, minutes: text } }).values;
  } catch (error) {
    return fail((error as Error).message.split("\n", 1)[0] ?? "");
  }
};

const { component = "", month = "", minutes = "" } = read();
if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) fail("--month: must be a month such as 2026-12");
if (!/^\d{1,6}$/.test(minutes)) fail("--minutes: must be a whole number");
const span = utcMonth(new Date(`${month}-01T00:00:00Z`), 0);

await enterService("sandbox");
await withDeps(async (deps) => {
  const by = { actor: { kind: "operator", id: "command-line" } as const, requestId: newId("req") };
  await recordTestOutage(deps, { component, month: span, minutes: Number(minutes), ...by });
  return `${component}: ${minutes} minutes of outage in ${month}`;
});
process.disconnect?.();
