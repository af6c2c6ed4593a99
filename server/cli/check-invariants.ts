import { verifyAudit } from "../audit/verify-audit.ts";
import { connectDatabase } from "../data/client.ts";
import { invariants } from "../data/invariants/invariants.ts";
import { directTimeouts } from "../data/timeouts.ts";
import { verifyLog } from "../directory/log/verify-log.ts";
import { systemClock } from "../kernel/time/clock.ts";
import { findBrokenDays } from "../status/uptime/find-broken-days.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { runReportingProblems } from "./backup/run-command.ts";
import { type Target, withDatabases } from "./backup/with-databases.ts";

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints one line per rule that holds and one per violation. Changes nothing. @returns how many rules are broken. */
const check = async (service: Target): Promise<number> => {
  const db = connectDatabase(service.config.databaseDirectUrl, 1, directTimeouts(service.config, "command"));
  let broken = 0;
  const report = (rule: string, violations: readonly string[]): void => {
    for (const violation of violations) printLine(`✗ ${service.name}: ${rule}: ${violation}`);
    if (violations.length === 0) printLine(`✓ ${service.name}: ${rule}`);
    else broken += 1;
  };
  try {
    for (const { name, find } of invariants) {
      report(
        name,
        (await find(db.sql)).map(({ subject, problem }) => `${subject}: ${problem}`),
      );
    }
    const { problems } = await verifyAudit({ db, clock: systemClock });
    report(
      "every entry and block of the audit log is unchanged",
      problems.map(({ shard, block, problem }) => `shard ${shard}, block ${block ?? "-"}: ${problem}`),
    );
    report(
      "each component's finished days are chained, none is missing and none was changed",
      await findBrokenDays(db),
    );
    report("the published root of the directory's log matches the log's entries", await verifyLog(db.sql));
    const all = invariants.length + 3;
    printLine(
      broken > 0
        ? `✗ ${service.name}: ${broken} of ${all} invariants are broken`
        : `✓ ${service.name}: ${all} invariants hold`,
    );
    return broken;
  } finally {
    await db.close();
  }
};

answerHelp(
  "npm run check:invariants   compares limits, keys, events, deliveries and audit log with the charges, checks the finished days of the status page, and recomputes the root of the directory's log. Prints one line per rule that holds and one per violation. Changes nothing. Exits with 1 if a rule is broken",
);

await runReportingProblems(async () => {
  let broken = 0;
  await withDatabases({ isExclusive: false }, async (targets) => {
    for (const target of targets) broken += await check(target);
  });
  if (broken > 0) process.exitCode = 1;
});
process.disconnect?.();
