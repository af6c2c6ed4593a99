import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { confirmIncident } from "./confirm-incident.ts";
import { dismissIncident } from "./dismiss-incident.ts";
import { getIncident } from "./get-incident.ts";
import { insertDraftIncident, openTestIncident, operatorContext, updateInput } from "./incidents.fixture.ts";
import { listIncidents } from "./list-incidents.ts";
import { openIncident } from "./open-incident.ts";
import { resolveIncident } from "./resolve-incident.ts";
import { updateIncident } from "./update-incident.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code: string }) => error.code,
  );
const changesOf = async (subject: string) =>
  (
    await deps.db.prisma.componentChange.findMany({
      where: { subject },
      orderBy: [{ at: "asc" }, { component: "asc" }],
    })
  ).map(({ component, source, state }) => [component, source, state].join(" "));
const auditOf = (id: string) => deps.db.prisma.$queryRaw<{ action: string; actor_id: string }[]>`
  SELECT action, actor_id FROM audit_entry WHERE subject_id = ${id} ORDER BY seq`;
const update = (incidentId: string, more: Partial<Parameters<typeof updateIncident>[1]> = {}) =>
  updateIncident(deps, { incidentId, ...updateInput(), state: "identified", impact: null, components: [], ...more });

describe("the list of incidents (docs/spec/portal.md, Pages)", () => {
  test("has all incidents in pages, newest first, even if there are more than 100", async () => {
    const own = await createTestDeps();
    const at = own.clock.now();
    const ids = Array.from({ length: 105 }, (_, index) => `inc_p${String(index).padStart(3, "0")}`);
    await own.db.prisma.incident.createMany({
      data: ids.map((id, index) => ({
        id,
        title: index === 0 ? "100% of charges_failed" : `Incident ${index}`,
        state: index % 2 === 0 ? ("resolved" as const) : ("dismissed" as const),
        resolvedAt: index % 2 === 0 ? at : null,
        publicAt: index % 2 === 0 ? at : null,
        impact: "minor" as const,
        source: "operator" as const,
        openedBy: "acc_operator",
        // Three incidents start at the same time, so that a page can end between equal times.
        startedAt: addSeconds(at, Math.floor(index / 3)),
        createdAt: at,
      })),
    });
    const walk = async (query: Partial<Parameters<typeof listIncidents>[1]> = {}) => {
      const found: string[] = [];
      for (let hasMore = true; hasMore; ) {
        const page = await listIncidents(own, { ...query, startingAfter: found.at(-1), limit: 25 });
        found.push(...page.incidents.map(({ incident }) => incident.id));
        hasMore = page.hasMore;
      }
      return found;
    };
    expect(await walk()).toEqual(ids.toReversed());
    expect(await walk({ state: "dismissed" })).toHaveLength(52);
    expect(await walk({ search: "0% of CHARGES_" })).toEqual(["inc_p000"]);
    expect(await walk({ search: "%" })).toEqual(["inc_p000"]);
    expect(await walk({ search: "inc_p104" })).toEqual(["inc_p104"]);
    await own.close();
  });

  test("continues after an incident that no longer matches the filter", async () => {
    const own = await createTestDeps();
    // All start at the same time, so their ids decide the order.
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) ids.push(await insertDraftIncident(own));
    const [first, last, ...older] = ids.toSorted().toReversed();
    const page = async (startingAfter?: string) => {
      const { incidents, hasMore } = await listIncidents(own, { state: "draft", startingAfter, limit: 2 });
      return { ids: incidents.map(({ incident }) => incident.id), hasMore };
    };
    expect(await page()).toEqual({ ids: [first, last], hasMore: true });
    await own.db.prisma.incident.update({ where: { id: last ?? "" }, data: { state: "dismissed" } });
    expect(await page(last)).toEqual({ ids: older, hasMore: false });
    expect(await page("inc_unknown")).toEqual({ ids: [], hasMore: false });
    await own.close();
  });
});

describe("an operator opens an incident (docs/spec/status.md, Incidents)", () => {
  test("publishes it with its first update, its components and an audit entry", async () => {
    const id = await openTestIncident(deps);
    const { incident, operatorStates } = await getIncident(deps, { incidentId: id });
    expect(incident).toMatchObject({
      state: "investigating",
      impact: "major",
      source: "operator",
      publicAt: deps.clock.now(),
      components: [{ component: "authorization_server", state: "degraded" }],
      updates: [{ sequence: 1, state: "investigating", actor: "acc_operator" }],
    });
    expect([...operatorStates]).toEqual([["authorization_server", "degraded"]]);
    expect(await changesOf(id)).toEqual(["authorization_server operator degraded"]);
    expect(await auditOf(id)).toEqual([{ action: "incident.opened", actor_id: "acc_operator" }]);
  });

  test("opens it once if two nodes get the same request", async () => {
    const other = await anotherNode(deps);
    const input = {
      incidentId: newId("inc"),
      title: "Twice",
      impact: "minor" as const,
      state: "identified" as const,
      ...updateInput(),
      startedAt: null,
      components: [{ component: "sandbox" as const, state: "degraded" as const }],
    };
    const answers = await Promise.all([openIncident(deps, input), openIncident(other, input)]);
    expect(answers.map(({ isNew }) => isNew).toSorted()).toEqual([false, true]);
    expect(await changesOf(input.incidentId)).toHaveLength(1);
    expect(await auditOf(input.incidentId)).toHaveLength(1);
    await other.close();
  });

  test("opens only one of several incidents with the same update id, and refuses the others", async () => {
    const { updateId } = updateInput();
    const codes = await Promise.all(Array.from({ length: 6 }, () => codeOf(openTestIncident(deps, { updateId }))));
    expect(codes.toSorted()).toEqual([null, ...Array(5).fill("update_id_taken")]);
    expect(await codeOf(openTestIncident(deps, { updateId }))).toBe("update_id_taken");
  });

  test("accepts a start within the last day, not earlier and not in the future", async () => {
    const startedAt = addSeconds(deps.clock.now(), -3600);
    const id = await openTestIncident(deps, { startedAt });
    expect((await getIncident(deps, { incidentId: id })).incident.startedAt).toEqual(startedAt);
    const [change] = await deps.db.prisma.componentChange.findMany({ where: { subject: id } });
    expect(change?.at).toEqual(startedAt);
    for (const seconds of [1, -86_401]) {
      expect(await codeOf(openTestIncident(deps, { startedAt: addSeconds(deps.clock.now(), seconds) }))).toBe(
        "invalid_request",
      );
    }
  });
});

describe("updates of an incident", () => {
  test("are in sequence, and keep the worst state of each component", async () => {
    const incidentId = await openTestIncident(deps);
    await update(incidentId, { components: [{ component: "authorization_server", state: "major_outage" }] });
    await update(incidentId, {
      state: "monitoring",
      impact: "critical",
      components: [
        { component: "authorization_server", state: "operational" },
        { component: "wallet_portal", state: "degraded" },
      ],
    });
    const { incident, operatorStates } = await getIncident(deps, { incidentId });
    expect(incident.impact).toBe("critical");
    expect(incident.updates.map(({ sequence, state }) => [sequence, state])).toEqual([
      [1, "investigating"],
      [2, "identified"],
      [3, "monitoring"],
    ]);
    expect(incident.components).toMatchObject([
      { component: "authorization_server", state: "major_outage" },
      { component: "wallet_portal", state: "degraded" },
    ]);
    expect(Object.fromEntries(operatorStates)).toEqual({
      authorization_server: "operational",
      wallet_portal: "degraded",
    });
    // The test clock doesn't move: each update is a millisecond after the previous one.
    expect(await changesOf(incidentId)).toEqual([
      "authorization_server operator degraded",
      "authorization_server operator major_outage",
      "authorization_server operator operational",
      "wallet_portal operator degraded",
    ]);
  });

  test("have distinct numbers when sent concurrently", async () => {
    const [incidentId, other] = [await openTestIncident(deps), await anotherNode(deps)];
    const more = { state: "identified" as const, impact: null, components: [] };
    await Promise.all(
      [deps, other, deps, other].map((node) => updateIncident(node, { incidentId, ...updateInput(), ...more })),
    );
    const { incident } = await getIncident(deps, { incidentId });
    expect(incident.updates.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    await other.close();
  });

  test("are recorded once per id; an id of another incident is refused", async () => {
    const [incidentId, another] = [await openTestIncident(deps), await openTestIncident(deps)];
    const input = updateInput();
    const answers = await Promise.all([update(incidentId, input), update(incidentId, input)]);
    expect(answers.map(({ isNew }) => isNew).toSorted()).toEqual([false, true]);
    expect((await getIncident(deps, { incidentId })).incident.updates).toHaveLength(2);
    expect(await codeOf(update(another, input))).toBe("update_id_taken");
    expect((await getIncident(deps, { incidentId: another })).incident.updates).toHaveLength(1);
  });

  test("don't record a component's state again if it is already set", async () => {
    const incidentId = await openTestIncident(deps);
    await update(incidentId, { components: [{ component: "authorization_server", state: "degraded" }] });
    expect(await changesOf(incidentId)).toHaveLength(1);
  });

  test("are refused for an unknown incident", async () => {
    expect(await codeOf(update("inc_nowhere"))).toBe("incident_not_found");
    expect(await codeOf(getIncident(deps, { incidentId: "inc_nowhere" }))).toBe("incident_not_found");
  });
});

describe("the resolution of an incident", () => {
  test("succeeds for one of two concurrent operators, and ends the component states", async () => {
    const [incidentId, other] = [await openTestIncident(deps), await anotherNode(deps)];
    await update(incidentId, { components: [{ component: "billing_engine", state: "partial_outage" }] });
    const codes = await Promise.all(
      [deps, other].map((node) => codeOf(resolveIncident(node, { incidentId, ...updateInput("Fixed.") }))),
    );
    expect(codes.toSorted()).toEqual(["incident_resolved", null]);
    const { incident, operatorStates } = await getIncident(deps, { incidentId });
    expect(incident).toMatchObject({ state: "resolved", resolvedAt: expect.any(Date) });
    expect(incident.updates.filter(({ state }) => state === "resolved")).toHaveLength(1);
    expect([...operatorStates.values()]).toEqual(["operational", "operational"]);
    expect((await auditOf(incidentId)).filter(({ action }) => action === "incident.resolved")).toHaveLength(1);
    await other.close();
  });

  test("is the last update, even if another update is sent concurrently", async () => {
    const [incidentId, other] = [await openTestIncident(deps), await anotherNode(deps)];
    const more = { state: "monitoring" as const, impact: null };
    const components = [{ component: "authorization_server" as const, state: "major_outage" as const }];
    await Promise.all([
      codeOf(updateIncident(other, { incidentId, ...updateInput(), ...more, components })),
      codeOf(resolveIncident(deps, { incidentId, ...updateInput() })),
    ]);
    const { incident, operatorStates } = await getIncident(deps, { incidentId });
    expect(incident.updates.at(-1)?.state).toBe("resolved");
    expect([...operatorStates.values()]).toEqual(["operational"]);
    await other.close();
  });

  test("is final: the incident gets no new state", async () => {
    const incidentId = await openTestIncident(deps);
    await resolveIncident(deps, { incidentId, ...updateInput() });
    const before = await getIncident(deps, { incidentId });
    expect(await codeOf(update(incidentId))).toBe("incident_resolved");
    expect(await codeOf(resolveIncident(deps, { incidentId, ...updateInput() }))).toBe("incident_resolved");
    expect(await codeOf(dismissIncident(deps, { incidentId, ...updateInput() }))).toBe("incident_resolved");
    expect(await getIncident(deps, { incidentId })).toEqual(before);
  });

  test("makes a postmortem due if the incident is critical", async () => {
    const incidentId = await openTestIncident(deps, { impact: "critical" });
    expect((await getIncident(deps, { incidentId })).postmortemStatus).toEqual({ kind: "not_required" });
    await resolveIncident(deps, { incidentId, ...updateInput() });
    expect((await getIncident(deps, { incidentId })).postmortemStatus.kind).toBe("due");
    const [listed] = (await listIncidents(deps, { search: incidentId, limit: 10 })).incidents;
    expect(listed?.postmortemStatus.kind).toBe("due");
  });
});

describe("a draft that probes created (docs/spec/status.md, Probes)", () => {
  const confirmation = { title: "Nobody can pay", impact: "critical" as const, state: "investigating" as const };

  test("is confirmed with the operator's text; other components keep their measured state", async () => {
    const incidentId = await insertDraftIncident(deps);
    await confirmIncident(deps, { incidentId, ...updateInput(), ...confirmation, components: [] });
    const { incident } = await getIncident(deps, { incidentId });
    expect(incident).toMatchObject({
      title: "Nobody can pay",
      state: "investigating",
      publicAt: expect.any(Date),
      components: [{ component: "authorization_server", state: "major_outage" }],
    });
    expect(incident.updates.map(({ state }) => state)).toEqual(["draft", "investigating"]);
    expect(await changesOf(incidentId)).toEqual([]);
  });

  test("is dismissed with a reason and isn't published", async () => {
    const incidentId = await insertDraftIncident(deps);
    await dismissIncident(deps, { incidentId, ...updateInput("A deployment, no outage.") });
    const { incident } = await getIncident(deps, { incidentId });
    expect(incident).toMatchObject({ state: "dismissed", publicAt: null, resolvedAt: null });
    expect(await auditOf(incidentId)).toEqual([{ action: "incident.dismissed", actor_id: "acc_operator" }]);
  });

  test("is either confirmed or dismissed if both are requested concurrently", async () => {
    const [incidentId, other] = [await insertDraftIncident(deps), await anotherNode(deps)];
    const codes = await Promise.all([
      codeOf(confirmIncident(deps, { incidentId, ...updateInput(), ...confirmation, components: [] })),
      codeOf(dismissIncident(other, { incidentId, ...updateInput(), ...operatorContext("acc_another") })),
    ]);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes.filter((code) => code === "incident_public" || code === "incident_dismissed")).toHaveLength(1);
    expect((await getIncident(deps, { incidentId })).incident.updates).toHaveLength(2);
    await other.close();
  });

  test("gets no update before it is confirmed, and can't be confirmed twice", async () => {
    const incidentId = await insertDraftIncident(deps);
    expect(await codeOf(update(incidentId))).toBe("incident_draft");
    const confirm = () =>
      codeOf(confirmIncident(deps, { incidentId, ...updateInput(), ...confirmation, components: [] }));
    expect([await confirm(), await confirm()]).toEqual([null, "incident_public"]);
  });
});
