import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { createSealer } from "../../kernel/crypto/seal.ts";
import type { Board } from "../rules/board.ts";
import type { JournalRecord } from "../rules/journal/journal-record.ts";
import { outageRecords } from "../rules/journal/journal-records.fixture.ts";
import { findBrokenDay } from "../rules/uptime/days.ts";
import { computeUptime } from "../uptime/compute-uptime.ts";
import { freezeDays } from "../uptime/freeze-days.ts";
import { openJournal } from "./journal.ts";
import { loadBoard } from "./load-board.ts";
import { type BoardStore, openBoard } from "./open-board.ts";
import { replayJournal } from "./replay-journal.ts";
import { restoreMissingRecords } from "./restore-missing-records.ts";
import { openSnapshot } from "./snapshot.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
const masterKey = randomBytes(32);
/** A time on the day of the fixture's outage. The outage lasts seven minutes. */
const now = new Date("2026-11-21T13:00:00Z");
const day = 24 * 3600;

/** The current database, and its earlier state after a restore. */
let deps: TestDeps;
let earlier: TestDeps;
let directory: string;
beforeAll(async () => {
  [deps, earlier] = await Promise.all([createTestDeps({ now }), createTestDeps({ now })]);
  // Both have the records of the day before.
  for (const one of [deps, earlier]) await replayJournal(one, { records: yesterday });
});
afterAll(() => Promise.all([deps.close(), earlier.close()]));
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "status-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const probed = { kind: "change", source: "probe", subject: "", actor: "probe", reason: "All checks pass" } as const;
const yesterday: JournalRecord[] = [
  { ...probed, id: "chg_0", component: "wallet_portal", state: "operational", at: new Date("2026-11-20T12:00:00Z") },
  { kind: "heartbeat", id: "hb_0", at: new Date("2026-11-20T18:00:00Z"), components: ["wallet_portal"] },
];

/** The status process with its own files, using one of the two databases. */
const keep = async (database: TestDeps): Promise<BoardStore> =>
  openBoard({
    replay: (records) => replayJournal(database, { records }),
    load: () => loadBoard(database),
    restore: (withheld) => restoreMissingRecords(database, withheld),
    snapshot: openSnapshot({ directory, sealer: createSealer(masterKey, "status_snapshot"), log: silent }),
    journal: await openJournal({ directory, log: silent }),
    clock: database.clock,
    log: silent,
    everyMilliseconds: 3_600_000,
    patienceMilliseconds: 60_000,
  });
const published = ({ changes, heartbeats, days, incidents, maintenances }: Board) => ({
  changes,
  heartbeats,
  days,
  maintenances,
  incidents: incidents.map(({ id, state, updates, components, resolvedAt, postmortem }) => ({
    id,
    state,
    components,
    resolvedAt,
    updates,
    postmortem: postmortem && { summary: postmortem.summary, actions: postmortem.actions },
  })),
});
const downOf = (board: Board) => computeUptime(board, now, "wallet_portal")[0]?.ninetyDays.sums.down;
const auditOf = ({ db }: TestDeps) =>
  db.prisma.$queryRaw<{ data: object }[]>`SELECT data FROM audit_entry WHERE action = 'status_page.restored'`;

describe("a restore of an older backup (docs/adr/051-status-history-after-a-restore.md)", () => {
  test("restores published outages, incidents, postmortems, maintenance and frozen days", async () => {
    const first = await keep(deps);
    await first.append(outageRecords("out"));
    await first.refresh();
    await deps.db.prisma.postmortem.create({
      data: {
        incidentId: "inc_out",
        summary: "A disk was full",
        timeline: "t",
        causes: "c",
        author: "acc_1",
        publishedAt: now,
        updatedAt: now,
        actions: { create: { id: "act_1", position: 1, title: "Watch disks", owner: "Ola", dueOn: now } },
      },
    });
    const window = {
      announcedAt: now,
      scheduledFrom: now,
      scheduledTo: new Date(now.getTime() + 1),
      startedAt: now,
      actor: "acc_1",
    };
    const update = {
      id: "upd_m",
      sequence: 1,
      state: "in_progress",
      text: "It begins.",
      actor: "acc_1",
      at: now,
    } as const;
    await deps.db.prisma.maintenance.create({
      data: {
        ...window,
        id: "mnt_1",
        title: "A new disk",
        state: "in_progress",
        components: [],
        updates: { create: update },
      },
    });
    deps.clock.advance(day);
    expect(await freezeDays(deps)).toBe(2);
    deps.clock.set(now);
    await first.refresh();
    const expected = published(first.board());
    expect(downOf(first.board())).toBe(5 * 60_000);
    await first.stop();

    const second = await keep(earlier);
    expect(published(second.board())).toEqual(expected);
    expect(downOf(second.board())).toBe(5 * 60_000);
    expect(findBrokenDay(second.board().days)).toBeNull();
    expect(await auditOf(earlier)).toMatchObject([{ data: { changes: 2, days: 2, incidents: 1, maintenances: 1 } }]);
    // Only once: restored records are no longer missing.
    await second.refresh();
    await second.stop();
    expect(published(await loadBoard(earlier))).toEqual(expected);
    expect(await auditOf(earlier)).toHaveLength(1);
  });

  test("replays pending journal records after the restored ones", async () => {
    const records = outageRecords("half");
    const until = records.findIndex(({ kind }) => kind === "incident_updated");
    const first = await keep(deps);
    await first.append(records.slice(0, until));
    await first.refresh();
    await first.append(records.slice(until));
    const expected = published(first.board());
    await first.stop();
    const second = await keep(earlier);
    expect(published(second.board())).toMatchObject(expected);
    await second.stop();
    await replayJournal(deps, { records });
  });

  test("appends the missing updates of an incident after updates that operators made since the restore", async () => {
    const records = outageRecords("on");
    const until = records.findIndex(({ kind }) => kind === "incident_updated");
    await replayJournal(earlier, { records: records.slice(0, until) });
    const first = await keep(deps);
    await first.append(records);
    await first.refresh();
    await first.stop();
    const said = { id: "upd_since", incidentId: "inc_on", sequence: 2, state: "identified", at: now } as const;
    await earlier.db.prisma.incidentUpdate.create({ data: { ...said, text: "We look.", actor: "acc_1" } });
    const second = await keep(earlier);
    const incident = second.board().incidents.find(({ id }) => id === "inc_on");
    expect(incident).toMatchObject({ state: "resolved", components: [{ state: "partial_outage" }] });
    expect(incident?.updates.map(({ id, sequence }) => [id, sequence])).toEqual([
      ["upd_1_on", 1],
      ["upd_since", 2],
      ["upd_2_on", 3],
      ["upd_3_on", 4],
    ]);
    expect(downOf(second.board())).toBe(5 * 60_000);
    await second.stop();
  });

  test("restores nothing if nothing is lost, even with concurrent changes by operators and probes", async () => {
    const records = outageRecords("race");
    const until = records.findIndex(({ kind }) => kind === "incident_updated");
    const keeper = await keep(deps);
    await keeper.append(records.slice(0, until));
    await keeper.refresh();
    // Ended by an operator; the board doesn't have this change yet.
    await deps.db.prisma.incident.update({ where: { id: "inc_race" }, data: { state: "dismissed" } });
    await keeper.append(records.slice(until));
    await keeper.refresh();
    const incident = keeper.board().incidents.find(({ id }) => id === "inc_race");
    expect(incident).toMatchObject({ state: "dismissed", updates: [{ id: "upd_1_race" }] });
    expect(await auditOf(deps)).toEqual([]);
    await keeper.stop();
  });

  test("keeps subscriptions and unsubscriptions, and repeats no notice", async () => {
    const sealed = Buffer.from("sealed");
    const row = (id: string, components: string[] = []) => ({
      id,
      kind: "email" as const,
      addressHash: `hash_${id}`,
      addressSealed: sealed,
      components,
      requestedComponents: [],
      confirmedAt: new Date("2026-11-20T10:00:00Z"),
      createdAt: now,
    });
    await earlier.db.prisma.statusSubscriber.createMany({
      data: [row("sub_left"), row("sub_chose"), row("sub_stays")],
    });
    await deps.db.prisma.statusSubscriber.createMany({
      data: [
        { ...row("sub_chose", ["wallet_portal"]), confirmedAt: new Date("2026-11-20T11:00:00Z") },
        row("sub_stays"),
        row("sub_new"),
      ],
    });
    const notice = { subscriberId: "sub_stays", updateId: "upd_1_sent", createdAt: now, attempts: 1, sentAt: now };
    await deps.db.prisma.statusNotice.createMany({ data: [notice, { ...notice, subscriberId: "sub_new" }] });
    const first = await keep(deps);
    await first.append(outageRecords("known"));
    await first.refresh();
    const expected = await deps.db.prisma.statusSubscriber.findMany({ orderBy: { id: "asc" } });
    await first.stop();

    const second = await keep(earlier);
    await second.stop();
    const subscribers = await earlier.db.prisma.statusSubscriber.findMany({ orderBy: { id: "asc" } });
    const plain = ({ id, components, addressHash, addressSealed, confirmedAt }: (typeof expected)[number]) => ({
      id,
      components,
      addressHash,
      confirmedAt,
      addressSealed: Buffer.from(addressSealed).toString(),
    });
    expect(subscribers.map(plain)).toEqual(expected.map(plain));
    expect(await earlier.db.prisma.statusNotice.count({ where: { sentAt: now } })).toBe(2);
    expect((await auditOf(earlier)).at(-1)).toMatchObject({ data: { subscribers: 2, ended: 1 } });
    const ended = earlier.db.prisma
      .$queryRaw`SELECT subject_id AS subject FROM audit_entry WHERE action = 'status_subscription.ended'`;
    expect(await ended).toEqual([{ subject: "sub_left" }]);
  });

  test("keeps a done action of a postmortem done", async () => {
    const records = outageRecords("act");
    const postmortem = {
      incidentId: "inc_act",
      summary: "s",
      timeline: "t",
      causes: "c",
      author: "acc_1",
      publishedAt: now,
      updatedAt: now,
      actions: { create: { id: "act_done", position: 1, title: "Watch", owner: "Ola", dueOn: now } },
    };
    for (const one of [deps, earlier]) {
      await replayJournal(one, { records });
      await one.db.prisma.postmortem.create({ data: postmortem });
    }
    await deps.db.prisma.postmortemAction.updateMany({ where: { id: "act_done" }, data: { doneAt: now } });
    const first = await keep(deps);
    await first.append([{ kind: "heartbeat", id: "hb_act", at: now, components: ["wallet_portal"] }]);
    await first.refresh();
    await first.stop();
    const second = await keep(earlier);
    await second.stop();
    const actions = await earlier.db.prisma.postmortemAction.findMany({ where: { id: "act_done" } });
    expect(actions).toMatchObject([{ doneAt: now }]);
  });

  test("doesn't write records to a different database", async () => {
    const first = await keep(deps);
    await first.append(outageRecords("mine"));
    await first.refresh();
    await first.stop();
    await replayJournal(earlier, {
      records: [
        { ...probed, id: "chg_x", component: "sandbox", state: "degraded", at: new Date("2026-11-20T13:00:00Z") },
      ],
    });
    const before = await auditOf(earlier);
    const second = await keep(earlier);
    expect(second.board().incidents.map(({ id }) => id)).not.toContain("inc_mine");
    expect(await auditOf(earlier)).toEqual(before);
    await second.stop();
  });
});
