import { describe, expect, it } from "vitest";
import { type Board, type ComponentState, emptyBoard, type Incident } from "../board.ts";
import type { ComponentKey } from "../components.ts";
import { type JournalRecord, withRecords } from "../journal/journal-record.ts";
import { probeChanges } from "../probes/decide-change.ts";
import type { Observation } from "../probes/observe.ts";
import { decideIncident, type RecentRuns, withRun } from "./decide-incident.ts";

const start = Date.UTC(2026, 10, 21, 12);
const second = (count: number): Date => new Date(start + count * 1000);
const key = "authorization_server";
type World = { board: Board; recent: RecentRuns; runs: number; acts: string[] };
const begin = (): World => ({ board: emptyBoard(second(0)), recent: new Map(), runs: 0, acts: [] });

/** One run as start-probes.ts makes it. */
const run = (world: World, observed: Observation[], isDraft = false): World => {
  const at = second(world.runs * 30);
  const changes = probeChanges(world.board, observed, { at, gapMilliseconds: 75_000 });
  const probed = withRecords(world.board, [
    ...changes.map((change, index) => ({ kind: "change" as const, id: `c${world.runs}.${index}`, ...change })),
    { kind: "heartbeat", id: "h", at, components: observed.map(({ component }) => component) },
  ]);
  const recent = withRun(world.recent, observed);
  const decision = decideIncident(probed, recent, { observed, now: at });
  const runs = world.runs + 1;
  if (!decision) return { board: probed, recent, runs, acts: [...world.acts, "-"] };
  const [id, updateId] = [`inc_${runs}`, `upd_${runs}`];
  const record: JournalRecord =
    decision.act === "open"
      ? { ...decision, kind: "incident_opened", id, updateId, isDraft, at }
      : { ...decision, kind: "incident_updated", id: updateId, incidentId: decision.incident.id, at };
  const act = decision.act === "open" ? "open" : String(decision.state);
  return { board: withRecords(probed, [record]), recent, runs, acts: [...world.acts, act] };
};
const states = { U: "operational", D: "major_outage", P: "partial_outage", S: "degraded", N: "unknown" } as const;
type Letter = keyof typeof states;
const runAll = (
  letters: string,
  world = begin(),
  { isDraft = false, component = key }: { isDraft?: boolean; component?: ComponentKey } = {},
): World =>
  [...letters].reduce((before, letter) => {
    const state: ComponentState = states[letter as Letter];
    return run(before, [{ component, state, reason: `Health: ${letter}` }], isDraft);
  }, world);
const incidentOf = ({ board }: World): Incident | undefined => board.incidents[0];

describe("an incident opens automatically after three of five runs (docs/spec/status.md, Probes)", () => {
  it.each([
    ["UUDDD", "----open"],
    ["DDD", "--open"],
    ["UDUDUD", "-----open"],
    ["DUUUDUUD", "--------"],
    ["DDUUU", "-----"],
    ["SSSSS", "-----"],
    ["NNNNN", "-----"],
  ])("%s: %s", (letters, acts) => expect(runAll(letters).acts.join("")).toBe(acts));

  it("starts at the first failure and names the failed checks", () =>
    expect(incidentOf(runAll("UUDDD"))).toMatchObject({
      state: "investigating",
      source: "probe",
      impact: "major",
      startedAt: second(60),
      publicAt: second(120),
      title: "Not available: Authorization server",
      components: [{ component: key, state: "major_outage" }],
      updates: [{ sequence: 1, text: expect.stringContaining("Health: D") }],
    }));

  it("waits for an operator as a draft that isn't public", () =>
    expect(incidentOf(runAll("DDD", begin(), { isDraft: true }))).toMatchObject({ state: "draft", publicAt: null }));

  it("is minor if only the sandbox fails", () =>
    expect(incidentOf(runAll("DDD", begin(), { isDraft: false, component: "sandbox" }))).toMatchObject({
      impact: "minor",
    }));

  it("doesn't open while an operator's incident is open or during maintenance", () => {
    const operators = { ...(incidentOf(runAll("DDD")) as Incident), source: "operator" as const, id: "inc_operator" };
    const beside = { ...begin(), board: { ...begin().board, incidents: [operators] } };
    expect(runAll("DDDD", beside).acts.join("")).toBe("----");
    const maintenance = {
      id: "mtn_1",
      title: "Reset",
      state: "in_progress" as const,
      components: [key as ComponentKey],
      announcedAt: second(0),
      scheduledFrom: second(0),
      scheduledTo: second(600),
      startedAt: second(0),
      endedAt: null,
      actor: "acc_1",
      updates: [],
    };
    const during = { ...begin(), board: { ...begin().board, maintenances: [maintenance] } };
    expect(runAll("DDDD", during).acts.join("")).toBe("----");
    const overdue = { ...maintenance, scheduledTo: second(90) };
    const after = { ...begin(), board: { ...begin().board, maintenances: [overdue] } };
    expect(runAll("DDDD", after).acts.join("")).toBe("---open");
  });
});

describe("an incident that probes opened", () => {
  it("is monitored after recovery, and resolves after ten good runs", () => {
    const world = runAll(`DDD${"U".repeat(11)}`);
    expect(world.acts.join(" ")).toBe("- - open monitoring - - - - - - - - resolved -");
    expect(incidentOf(world)).toMatchObject({ state: "resolved", resolvedAt: second(12 * 30) });
  });

  it("continues if the failure returns; a failure after the resolution opens a new incident", () => {
    const world = runAll(`DDDUDDD${"U".repeat(11)}DDD`);
    const acts = world.acts.filter((act) => act !== "-");
    expect(acts).toEqual(["open", "monitoring", "investigating", "monitoring", "resolved", "open"]);
    expect(world.board.incidents).toHaveLength(2);
  });

  it("stays a draft until an operator confirms it, and gets updates in the meantime", () => {
    const world = runAll(`DDD${"U".repeat(14)}`, begin(), { isDraft: true });
    expect(incidentOf(world)).toMatchObject({ state: "draft", resolvedAt: null });
    expect(incidentOf(world)?.updates).toHaveLength(3);
  });

  it("is opened as a new draft if the outage of an earlier draft has ended", () => {
    const long = runAll(`DDD${"U".repeat(11)}DDD`, begin(), { isDraft: true });
    expect(long.board.incidents).toHaveLength(2);
    const short = runAll(`DDD${"U".repeat(9)}DDD`, begin(), { isDraft: true });
    expect(short.board.incidents).toHaveLength(1);
  });

  it("stays dismissed until the outage ends; the next outage opens a new draft", () => {
    const world = runAll("DDD", begin(), { isDraft: true });
    const incidents = world.board.incidents.map((one) => ({ ...one, state: "dismissed" as const }));
    const dismissed = { ...world, board: { ...world.board, incidents } };
    expect(runAll("DDDDDD", dismissed, { isDraft: true }).board.incidents).toHaveLength(1);
    expect(runAll("DUUDDD", dismissed, { isDraft: true }).board.incidents).toHaveLength(2);
  });

  it("isn't resolved automatically once an operator has updated it", () => {
    const world = runAll("DDD");
    const incident = incidentOf(world) as Incident;
    const operatorUpdate = {
      id: "upd_o",
      sequence: 2,
      state: "identified" as const,
      text: "Found.",
      actor: "acc_1",
      at: second(90),
    };
    const taken = {
      ...world,
      board: { ...world.board, incidents: [{ ...incident, updates: [...incident.updates, operatorUpdate] }] },
    };
    const after = runAll("U".repeat(14), taken);
    expect(after.acts.filter((act) => act !== "-")).toEqual(["open", "monitoring"]);
  });

  it("adds further failing components, each once", () => {
    const both = (portal: ComponentState): Observation[] => [
      { component: key, state: "major_outage", reason: "Health: no response" },
      { component: "wallet_portal", state: portal, reason: "Sign-in page: HTTP 500" },
    ];
    const first = Array.from({ length: 4 }).reduce<World>((world) => run(world, both("operational")), begin());
    const world = Array.from({ length: 4 }).reduce<World>((before) => run(before, both("partial_outage")), first);
    expect(world.acts.join(" ")).toBe("- - open - - - investigating -");
    expect(incidentOf(world)?.components).toEqual([
      { component: key, state: "major_outage" },
      { component: "wallet_portal", state: "partial_outage" },
    ]);
  });
});
