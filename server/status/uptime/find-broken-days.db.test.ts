import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { replayJournal } from "../board/replay-journal.ts";
import type { JournalRecord } from "../rules/journal/journal-record.ts";
import { findBrokenDays } from "./find-broken-days.ts";
import { freezeDays } from "./freeze-days.ts";

const day = 24 * 3600;
const begun = new Date("2026-11-18T12:00:00Z");
let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ now: begun });
});
afterAll(() => deps.close());

test("if a day is changed or missing, check:invariants names the component and the day on which its chain breaks (docs/spec/status.md, Uptime)", async () => {
  const records: JournalRecord[] = [
    {
      kind: "change",
      id: "chg_1",
      component: "wallet_portal",
      source: "probe",
      subject: "",
      actor: "probe",
      state: "operational",
      reason: "All checks pass",
      at: begun,
    },
  ];
  await replayJournal(deps, { records });
  deps.clock.advance(5 * day);
  expect(await freezeDays(deps)).toBeGreaterThan(3);
  expect(await findBrokenDays(deps.db)).toEqual([]);
  const days = (await deps.db.prisma.componentDay.findMany({ orderBy: { day: "asc" } })).map((one) => one.day);
  await deps.db.prisma.$executeRawUnsafe("ALTER TABLE component_day DISABLE TRIGGER USER");
  await deps.db.prisma.$executeRaw`DELETE FROM component_day WHERE day = ${days[2]}`;
  expect(await findBrokenDays(deps.db)).toEqual([`wallet_portal: ${days[3]?.toISOString().slice(0, 10)}`]);
  await deps.db.prisma.$executeRaw`UPDATE component_day SET figures = '{}' WHERE day = ${days[1]}`;
  expect(await findBrokenDays(deps.db)).toEqual([`wallet_portal: ${days[1]?.toISOString().slice(0, 10)}`]);
});
