import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePayer } from "#e2e/support/factories.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { getIncident } from "../incidents/get-incident.ts";
import {
  openResolvedIncident,
  openTestIncident,
  operatorContext,
  postmortemInput,
  publishedPostmortem,
} from "../incidents/incidents.fixture.ts";
import { completeAction } from "./complete-action.ts";
import { remindPostmortems } from "./remind-postmortems.ts";
import { writePostmortem } from "./write-postmortem.ts";

let deps: TestDeps;
const monday = new Date("2026-11-23T09:00:00Z");
beforeAll(async () => {
  deps = await createTestDeps({ now: monday });
});
afterAll(() => deps.close());

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code: string }) => error.code,
  );
const write = (incidentId: string, more: Partial<Parameters<typeof writePostmortem>[1]> = {}, on: TestDeps = deps) =>
  writePostmortem(on, {
    incidentId,
    ...postmortemInput,
    seen: null,
    isPublished: true,
    ...operatorContext(),
    ...more,
  });
const readBack = async (incidentId: string) => {
  const { incident, postmortemStatus } = await getIncident(deps, { incidentId });
  if (!incident.postmortem) throw new Error("nothing was written");
  return { ...incident.postmortem, postmortemStatus };
};
const auditOf = async (id: string) =>
  (
    await deps.db.prisma.$queryRaw<{ action: string }[]>`
      SELECT action FROM audit_entry WHERE subject_id = ${id} AND action LIKE 'postmortem.%' ORDER BY seq`
  ).map(({ action }) => action);

describe("a postmortem (docs/spec/status.md, Postmortems)", () => {
  test("can be saved as a draft and then published; its actions keep their ids", async () => {
    const id = await openResolvedIncident(deps);
    await write(id, { causes: "", isPublished: false });
    const first = await readBack(id);
    expect(first).toMatchObject({ publishedAt: null, postmortemStatus: { kind: "due" }, actions: [{ position: 1 }] });
    const actions = first.actions.map(({ title, owner, dueOn, id: known }) => ({ id: known, title, owner, dueOn }));
    const second = { id: null, title: "Describe it in the runbook", owner: "Bo", dueOn: new Date("2027-01-05") };
    await write(id, { seen: first.updatedAt, actions: [second, ...actions] });
    const published = await readBack(id);
    expect(published).toMatchObject({ causes: "A missing index.", postmortemStatus: { kind: "published" } });
    expect(published.actions.map((action) => [action.position, action.owner])).toEqual([
      [1, "Bo"],
      [2, "Ada"],
    ]);
    expect(published.actions[1]?.id).toBe(first.actions[0]?.id);
    expect(await auditOf(id)).toEqual(["postmortem.saved", "postmortem.published"]);
  });

  test("is published only if it is complete", async () => {
    const id = await openResolvedIncident(deps);
    await expect(write(id, { timeline: " ", causes: "", actions: [] })).rejects.toMatchObject({
      code: "postmortem_incomplete",
      errors: [{ pointer: "/timeline" }, { pointer: "/causes" }, { pointer: "/actions" }],
    });
    expect((await getIncident(deps, { incidentId: id })).incident.postmortem).toBeNull();
  });

  test("is saved once if it is sent twice concurrently", async () => {
    const [id, other] = [await openResolvedIncident(deps), await anotherNode(deps)];
    const answers = await Promise.all([write(id), write(id, {}, other)]);
    expect(answers.map(({ isNew }) => isNew).toSorted()).toEqual([false, true]);
    expect((await readBack(id)).actions).toHaveLength(1);
    await other.close();
  });

  test("is saved for one of two concurrent authors, and the other author is refused", async () => {
    const [id, other] = [await openResolvedIncident(deps), await anotherNode(deps)];
    const codes = await Promise.all([
      codeOf(write(id, { summary: "One." })),
      codeOf(write(id, { summary: "Another." }, other)),
    ]);
    expect(codes.toSorted()).toEqual([null, "postmortem_changed"].toSorted());
    await other.close();
  });

  test("stays public if it is corrected after publication", async () => {
    const { incidentId } = await publishedPostmortem(deps);
    const { updatedAt, publishedAt } = await readBack(incidentId);
    await write(incidentId, { summary: "Slow for two hours.", seen: updatedAt, isPublished: false });
    expect(await readBack(incidentId)).toMatchObject({ summary: "Slow for two hours.", publishedAt });
    expect(await auditOf(incidentId)).toEqual(["postmortem.published", "postmortem.saved"]);
  });

  test("can be written only for a resolved incident", async () => {
    expect(await codeOf(write(await openTestIncident(deps)))).toBe("postmortem_too_early");
    expect(await codeOf(write("inc_nowhere"))).toBe("incident_not_found");
  });

  test("has actions that are marked as done once, even by two concurrent operators", async () => {
    const { incidentId, actionId } = await publishedPostmortem(deps);
    const other = await anotherNode(deps);
    const mark = (on: TestDeps) =>
      completeAction(on, { incidentId, actionId, reason: "Deployed", ...operatorContext() });
    const answers = await Promise.all([mark(deps), mark(other), mark(deps)]);
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect((await readBack(incidentId)).actions[0]?.doneAt).toEqual(deps.clock.now());
    expect((await auditOf(incidentId)).filter((action) => action === "postmortem.action_done")).toHaveLength(1);
    const elsewhere = await openResolvedIncident(deps);
    expect(
      await codeOf(completeAction(deps, { incidentId: elsewhere, actionId, reason: "Deployed", ...operatorContext() })),
    ).toBe("action_not_found");
    await other.close();
  });
});

test("each change of a postmortem is audited with its reason (docs/spec/portal.md, Operator console)", async () => {
  const { incidentId, actionId } = await publishedPostmortem(deps);
  await completeAction(deps, { incidentId, actionId, reason: "The index is in production", ...operatorContext() });
  const entries = await deps.db.prisma.$queryRaw<{ action: string; reason: string | null }[]>`
    SELECT action, data->>'reason' AS reason FROM audit_entry
     WHERE subject_id = ${incidentId} AND action LIKE 'postmortem.%' ORDER BY seq`;
  expect(entries).toEqual([
    { action: "postmortem.published", reason: postmortemInput.reason },
    { action: "postmortem.action_done", reason: "The index is in production" },
  ]);
});

describe("reminders of a postmortem (docs/spec/status.md, Postmortems)", () => {
  test("are mailed to operators once per working day and incident until the postmortem is published, even by two workers", async () => {
    deps.clock.set(new Date("2027-03-01T09:00:00Z"));
    await deps.db.prisma.incident.updateMany({ data: { impact: "minor" } });
    const other = await anotherNode(deps);
    const operators = [await makePayer(deps), await makePayer(deps)];
    await deps.db.prisma.account.updateMany({
      where: { id: { in: operators.map(({ id }) => id) } },
      data: { operatorRole: "support" },
    });
    const id = await openResolvedIncident(deps);
    await openResolvedIncident(deps, "minor");
    const onDay = async (day: string) => {
      await deps.db.prisma.mail.deleteMany();
      deps.clock.set(new Date(`${day}T09:00:00Z`));
      const reminded = await Promise.all([remindPostmortems(deps), remindPostmortems(other)]);
      expect(reminded.flat()).toEqual(reminded.flat().length === 0 ? [] : [id]);
      expect(await remindPostmortems(deps)).toEqual([]);
      return (await deps.db.prisma.mail.findMany({ where: { kind: "postmortem_due" } })).map(({ subject }) => subject);
    };
    expect(await onDay("2027-03-01")).toEqual([]);
    expect(await onDay("2027-03-02")).toEqual(Array(2).fill("[Sandbox] A postmortem is due: “Charges are slow”"));
    expect(await onDay("2027-03-06")).toEqual([]);
    expect(await onDay("2027-03-08")).toHaveLength(2);
    expect(await onDay("2027-03-09")).toEqual(
      Array(2).fill("[Sandbox] The postmortem of “Charges are slow” is overdue"),
    );
    expect((await auditOf(id)).filter((action) => action === "postmortem.reminded")).toHaveLength(3);
    await write(id);
    expect(await onDay("2027-03-10")).toEqual([]);
    await other.close();
  });
});
