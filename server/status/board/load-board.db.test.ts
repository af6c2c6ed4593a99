import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { loadBoard } from "./load-board.ts";

const day = 24 * 3600 * 1000;
let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const change = (id: string, daysAgo: number, state: "operational" | "degraded") => ({
  id,
  component: "sandbox",
  source: "probe" as const,
  state,
  reason: "probe",
  actor: "probe",
  at: new Date(deps.clock.now().getTime() - daysAgo * day),
});

test("the changes of a component begin with the last one before the retained period", async () => {
  await deps.db.prisma.componentChange.createMany({
    data: [change("a", 500, "degraded"), change("b", 450, "operational"), change("c", 3, "degraded")],
  });
  const { changes } = await loadBoard(deps);
  expect(changes.map(({ id }) => id)).toEqual(["b", "c"]);
});

test("measurements are never rewritten", async () => {
  await deps.db.prisma.componentChange.create({ data: change("d", 1, "degraded") });
  const update = deps.db.prisma.componentChange.update({ where: { id: "d" }, data: { state: "operational" } });
  await expect(update).rejects.toThrow("append-only");
  await expect(deps.db.prisma.componentChange.delete({ where: { id: "d" } })).rejects.toThrow("append-only");
});

test("an incident has its components, ordered updates, postmortem and actions", async () => {
  const at = deps.clock.now();
  await deps.db.prisma.incident.create({
    data: {
      id: "inc_1",
      title: "Charges are slow",
      state: "resolved",
      impact: "critical",
      source: "operator",
      openedBy: "usr_1",
      startedAt: at,
      publicAt: at,
      resolvedAt: at,
      createdAt: at,
      components: {
        create: [
          { component: "authorization_server", state: "degraded" },
          { component: "gone", state: "degraded" },
        ],
      },
      updates: {
        create: [2, 1].map((sequence) => ({
          id: `upd_${sequence}`,
          sequence,
          text: "…",
          actor: "usr_1",
          at,
          state: sequence === 1 ? ("investigating" as const) : ("resolved" as const),
        })),
      },
      postmortem: {
        create: {
          summary: "s",
          timeline: "t",
          causes: "c",
          author: "usr_1",
          updatedAt: at,
          actions: { create: { id: "act_1", position: 1, title: "a", owner: "o", dueOn: at } },
        },
      },
    },
  });
  const [incident] = (await loadBoard(deps)).incidents;
  expect(incident?.components).toMatchObject([{ component: "authorization_server" }]);
  expect(incident?.updates.map(({ sequence }) => sequence)).toEqual([1, 2]);
  expect(incident?.postmortem?.actions).toMatchObject([{ id: "act_1" }]);
});
