import { describe, expect, it } from "vitest";
import { boardOf, incidentOf, maintenanceOf } from "./board.fixture.ts";
import type { Board, Notice, Subscriber } from "./board.ts";
import { dueNotices, isLastAttempt } from "./notices.ts";

const subscriber = (changes: Partial<Subscriber> = {}): Subscriber => ({
  id: "sub_1",
  kind: "email",
  addressHash: "h",
  addressSealed: new Uint8Array(),
  secretSealed: null,
  components: [],
  confirmedAt: new Date("2026-11-01Z"),
  ...changes,
});
const notice = (changes: Partial<Notice> = {}): Notice => ({
  subscriberId: "sub_1",
  updateId: "upd_1",
  createdAt: new Date("2026-11-21T10:00:00Z"),
  attempts: 1,
  sentAt: null,
  abandonedAt: null,
  problem: null,
  ...changes,
});
const now = new Date("2026-11-21T10:10:00Z");
const dueKeys = (board: Partial<Board>, at = now) =>
  dueNotices(boardOf({ incidents: [incidentOf()], subscribers: [subscriber()], ...board }), at).map(
    ({ subscriber: { id }, update, attempts }) => `${id} ${update.id} ${attempts}`,
  );

describe("due notices (docs/spec/status.md, Notifications)", () => {
  it("are one per confirmed subscriber and update, oldest update first", () => {
    expect(dueKeys({ subscribers: [subscriber(), subscriber({ id: "sub_2" })] })).toEqual([
      "sub_1 upd_1 1",
      "sub_2 upd_1 1",
      "sub_1 upd_2 1",
      "sub_2 upd_2 1",
    ]);
  });

  it("are only about the subscriber's components", () => {
    const maintenances = [maintenanceOf()];
    expect(dueKeys({ maintenances, subscribers: [subscriber({ components: ["sandbox"] })] })).toEqual([
      "sub_1 upd_3 1",
    ]);
    expect(dueKeys({ maintenances, subscribers: [subscriber({ components: ["wallet_portal"] })] })).toEqual([]);
  });

  it("aren't about drafts, updates before the confirmation, or updates older than a day", () => {
    expect(dueKeys({ subscribers: [subscriber({ confirmedAt: new Date("2026-11-21T10:00:00Z") })] })).toEqual([
      "sub_1 upd_2 1",
    ]);
    expect(dueKeys({ incidents: [incidentOf({ state: "draft", publicAt: null })] })).toEqual([]);
    expect(dueKeys({}, new Date("2026-11-22T10:06:00Z"))).toEqual([]);
  });

  it("include those with earlier attempts, even if the subscriber has selected other components since", () => {
    const subscribers = [subscriber({ confirmedAt: now })];
    expect(dueKeys({ subscribers, notices: [notice()] })).toEqual(["sub_1 upd_1 2"]);
    expect(dueKeys({ subscribers, notices: [notice({ sentAt: now })] })).toEqual([]);
  });

  it("don't include those that were sent or given up", () => {
    const notices = [notice({ sentAt: now }), notice({ updateId: "upd_2", abandonedAt: now })];
    expect(dueKeys({ notices })).toEqual([]);
  });

  it("include failed ones after a pause, up to eight attempts", () => {
    const others = [notice({ updateId: "upd_2", sentAt: now })];
    const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, seconds));
    expect(dueKeys({ notices: [notice(), ...others] }, at(29))).toEqual([]);
    expect(dueKeys({ notices: [notice(), ...others] }, at(30))).toEqual(["sub_1 upd_1 2"]);
    expect(dueKeys({ notices: [notice({ attempts: 2 }), ...others] }, at(119))).toEqual([]);
    expect(dueKeys({ notices: [notice({ attempts: 2 }), ...others] }, at(120))).toEqual(["sub_1 upd_1 3"]);
    expect(dueKeys({ notices: [notice({ attempts: 8 }), ...others] }, at(80_000))).toEqual([]);
    expect([7, 8].map(isLastAttempt)).toEqual([false, true]);
  });
});
