import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { createSealer } from "../../kernel/crypto/seal.ts";
import { recipientDigest } from "../alerts/alert-mail.ts";
import { type Board, emptyBoard } from "../rules/board.ts";
import type { JournalRecord } from "../rules/journal/journal-record.ts";
import { withRecords } from "../rules/journal/journal-record.ts";
import { outageRecords } from "../rules/journal/journal-records.fixture.ts";
import { openJournal } from "./journal.ts";
import { loadBoard } from "./load-board.ts";
import { openBoard } from "./open-board.ts";
import { replayJournal } from "./replay-journal.ts";
import { restoreMissingRecords } from "./restore-missing-records.ts";
import { openSnapshot } from "./snapshot.ts";

let deps: TestDeps;
let directory: string;
const masterKey = randomBytes(32);
const subscriberId = "sub_1";

beforeAll(async () => {
  deps = await createTestDeps({ now: new Date("2026-11-21T13:00:00Z") });
  await deps.db.prisma.statusSubscriber.create({
    data: {
      id: subscriberId,
      kind: "email",
      addressHash: "h",
      addressSealed: Buffer.from("sealed"),
      components: [],
      confirmedAt: deps.clock.now(),
      createdAt: deps.clock.now(),
    },
  });
});
afterAll(() => deps.close());
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "status-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const silent = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
const away = () => Promise.reject(new Error("ECONNREFUSED"));
type Database = {
  replay(records: readonly JournalRecord[]): Promise<void>;
  load(): Promise<Board>;
};
const reachable: Database = { replay: (records) => replayJournal(deps, { records }), load: () => loadBoard(deps) };
const gone: Database = { replay: away, load: away };

const keep = async (database: Database, folder = directory) =>
  openBoard({
    replay: (records) => database.replay(records),
    load: () => database.load(),
    restore: (withheld) => restoreMissingRecords(deps, withheld),
    snapshot: openSnapshot({ directory: folder, sealer: createSealer(masterKey, "status_snapshot"), log: silent }),
    journal: await openJournal({ directory: folder, log: silent }),
    clock: deps.clock,
    log: silent,
    everyMilliseconds: 3_600_000,
    patienceMilliseconds: 60_000,
  });

/** The part of a board that belongs to one outage. */
const outageIn = (board: Board, tag: string) => {
  const isOfIt = ({ id }: { id: string }) => id.endsWith(`_${tag}`);
  return {
    changes: board.changes.filter(isOfIt),
    incidents: board.incidents.filter(isOfIt),
    alerts: board.alerts.filter(isOfIt),
    notices: board.notices.filter(({ updateId }) => updateId.endsWith(`_${tag}`)),
  };
};
const expected = (tag: string) => outageIn(withRecords(emptyBoard(deps.clock.now()), outageRecords(tag)), tag);

describe("replaying the journal (docs/adr/030-status-page-board.md)", () => {
  test("makes the database equal to the board, with one audit entry per change of an incident or alert", async () => {
    for (let times = 0; times < 2; times += 1) await replayJournal(deps, { records: outageRecords("a") });
    expect(outageIn(await loadBoard(deps), "a")).toMatchObject(expected("a"));
    const entries = await deps.db.prisma.$queryRaw<{ action: string; total: number }[]>`
      SELECT action, count(*)::int AS total FROM audit_entry WHERE actor_id = 'probe' GROUP BY action ORDER BY action`;
    expect(entries.map(({ action, total }) => [action, total])).toEqual([
      ["incident.opened", 1],
      ["incident.updated", 2],
      ["status_alert.ended", 1],
      ["status_alert.started", 1],
    ]);
  });

  test("mails each operator once when an alert starts and once when it ends", async () => {
    const account = { passwordHash: "-", displayName: "Ola", createdAt: deps.clock.now() };
    const email = (name: string) => `${name}@example.test`;
    await deps.db.prisma.account.createMany({
      data: [
        { ...account, id: "acc_1", email: email("ola"), operatorRole: "admin" },
        { ...account, id: "acc_2", email: email("pat") },
      ],
    });
    for (let times = 0; times < 2; times += 1) await replayJournal(deps, { records: outageRecords("mail") });
    // Mail that the status process sent itself isn't sent again.
    const mailed = outageRecords("mailed").flatMap((record): JournalRecord[] =>
      record.kind === "alert_started" || record.kind === "alert_ended"
        ? [
            record,
            {
              kind: "alert_mailed",
              id: `mailed_${record.id}`,
              recordId: record.id,
              recipient: recipientDigest(email("ola")),
              at: record.at,
            },
          ]
        : [record],
    );
    await replayJournal(deps, { records: mailed });
    const mails = await deps.db.prisma.mail.findMany({ where: { kind: "status_alert" }, orderBy: { subject: "asc" } });
    expect(mails.map(({ recipient, subject }) => [recipient, subject.replace("[Sandbox] ", "")])).toEqual([
      [email("ola"), "Resolved: Wallet portal no longer burns its error budget too fast"],
      [email("ola"), "Urgent: Wallet portal has an error budget burn rate of 20.5"],
    ]);
  });

  test("after an interruption at any record, nothing is lost or doubled", async () => {
    for (let done = 0; done <= outageRecords("").length; done += 1) {
      const tag = `stop${done}`;
      await replayJournal(deps, { records: outageRecords(tag).slice(0, done) });
      await replayJournal(deps, { records: outageRecords(tag) });
      expect(outageIn(await loadBoard(deps), tag)).toMatchObject(expected(tag));
    }
  });

  test("an incident that an operator has closed in the meantime isn't changed", async () => {
    const records = outageRecords("b");
    const until = records.findIndex(({ kind }) => kind === "incident_updated");
    await replayJournal(deps, { records: records.slice(0, until) });
    await deps.db.prisma.incident.update({ where: { id: "inc_b" }, data: { state: "dismissed" } });
    await replayJournal(deps, { records });
    const [incident] = outageIn(await loadBoard(deps), "b").incidents;
    expect([incident?.state, incident?.updates.length]).toEqual(["dismissed", 1]);
  });

  test("gives the probes' update the next number if an operator added an update in the meantime", async () => {
    const records = outageRecords("c");
    const until = records.findIndex(({ kind }) => kind === "incident_updated");
    await replayJournal(deps, { records: records.slice(0, until) });
    const at = deps.clock.now();
    const update = { id: "upd_operator_c", incidentId: "inc_c", sequence: 2, state: "identified" as const, at };
    await deps.db.prisma.incidentUpdate.create({ data: { ...update, text: "Found it.", actor: "acc_1" } });
    await replayJournal(deps, { records });
    const [incident] = outageIn(await loadBoard(deps), "c").incidents;
    expect(incident?.updates.map(({ id, sequence }) => [id, sequence])).toEqual([
      ["upd_1_c", 1],
      ["upd_operator_c", 2],
      ["upd_2_c", 3],
      ["upd_3_c", 4],
    ]);
  });

  test("an unsubscribed subscriber is removed from the board immediately, even if the snapshot still contains the subscriber (RFC 8058)", async () => {
    const first = await keep(reachable);
    expect(first.board().subscribers.map(({ id }) => id)).toContain(subscriberId);
    await first.stop();
    const second = await keep(gone);
    expect(second.board().subscribers.map(({ id }) => id)).toContain(subscriberId);
    await second.append([
      { kind: "subscriber_ended", id: "ntf_ended", subscriberId, at: deps.clock.now(), requestId: "req_1" },
    ]);
    expect(second.board().subscribers.map(({ id }) => id)).not.toContain(subscriberId);
    await second.stop();
  });

  test("a notice to a deleted subscriber is ignored", async () => {
    await replayJournal(deps, { records: outageRecords("d", "sub_gone") });
    expect(outageIn(await loadBoard(deps), "d").notices).toEqual([]);
  });
});

describe("the board of the status process", () => {
  test("is read from the journal while the database is unavailable; without a journal and a snapshot, states are unknown", async () => {
    const first = await keep(gone);
    expect(first.board()).toEqual(emptyBoard(deps.clock.now()));
    await first.append(outageRecords("e"));
    expect(outageIn(first.board(), "e")).toMatchObject(expected("e"));
    await first.stop();
    const second = await keep(gone);
    expect(outageIn(second.board(), "e")).toMatchObject(expected("e"));
    await second.stop();
  });

  test("when the database is available again, the journal is replayed and its files are removed", async () => {
    const database = { ...gone };
    const keeper = await keep(database);
    await keeper.append(outageRecords("f"));
    await keeper.refresh();
    expect(await readdir(directory)).toEqual(["journal-000000001.jsonl"]);
    Object.assign(database, reachable);
    await keeper.refresh();
    expect(await readdir(directory)).toEqual(["snapshot"]);
    expect(outageIn(keeper.board(), "f")).toMatchObject(expected("f"));
    expect(outageIn(await loadBoard(deps), "f")).toMatchObject(expected("f"));
    await keeper.stop();
    const later = await keep(gone);
    expect(outageIn(later.board(), "f")).toMatchObject(expected("f"));
    await later.stop();
  });

  test("after a kill at any step of a replay, nothing is lost while the database is unavailable, and nothing is doubled afterwards", async () => {
    const steps = ["before", "replayed", "read", "removed"] as const;
    for (const step of steps) {
      const [tag, folder] = [`kill${step}`, path.join(directory, step)];
      const keeper = await keep(gone, folder);
      await keeper.append(outageRecords(tag));
      await keeper.stop();
      const copy = `${folder}-as-killed`;
      const picture = () => cp(folder, copy, { recursive: true, force: true });
      if (step === "before") await picture();
      const replaying = await keep(
        {
          async replay(records) {
            await reachable.replay(records);
            if (step === "replayed") await picture();
          },
          async load() {
            const board = await reachable.load();
            if (step === "read") await picture();
            return board;
          },
        },
        folder,
      );
      if (step === "removed") await picture();
      await replaying.stop();
      const without = await keep(gone, copy);
      expect(outageIn(without.board(), tag)).toMatchObject(expected(tag));
      await without.stop();
      const back = await keep(reachable, copy);
      expect(outageIn(back.board(), tag)).toMatchObject(expected(tag));
      await back.stop();
      expect(outageIn(await loadBoard(deps), tag)).toMatchObject(expected(tag));
    }
  });

  test("keeps the journal if the snapshot can't be written", async () => {
    const keeper = await openBoard({
      ...reachable,
      restore: (withheld) => restoreMissingRecords(deps, withheld),
      snapshot: { read: async () => null, write: () => Promise.reject(new Error("ENOSPC")) },
      journal: await openJournal({ directory, log: silent }),
      clock: deps.clock,
      log: silent,
      everyMilliseconds: 3_600_000,
      patienceMilliseconds: 60_000,
    });
    await keeper.append(outageRecords("g"));
    await keeper.refresh();
    expect(await readdir(directory)).toContain("journal-000000001.jsonl");
    expect(outageIn(keeper.board(), "g")).toMatchObject(expected("g"));
    await keeper.stop();
  });
});
