import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { scheduleMaintenance } from "../maintenance/schedule-maintenance.ts";
import { writePostmortem } from "../postmortems/write-postmortem.ts";
import { openIncident } from "./open-incident.ts";
import { resolveIncident } from "./resolve-incident.ts";

export const operatorContext = (operatorId = "acc_operator") => ({
  actor: { kind: "operator", id: operatorId } as const,
  requestId: newId("req"),
});

/** The input of an operator's update. */
export const updateInput = (text = "We are on it.") => ({ updateId: newId("upd"), text, ...operatorContext() });

/** An incident that an operator opened. */
export const openTestIncident = async (
  deps: Pick<Deps, "db" | "clock">,
  more: Partial<Parameters<typeof openIncident>[1]> = {},
): Promise<string> => {
  const incidentId = newId("inc");
  await openIncident(deps, {
    incidentId,
    title: "Charges are slow",
    impact: "major",
    state: "investigating",
    startedAt: null,
    ...updateInput("Charges take longer than they should."),
    components: [{ component: "authorization_server", state: "degraded" }],
    ...more,
  });
  return more.incidentId ?? incidentId;
};

export const openResolvedIncident = async (
  deps: Pick<Deps, "db" | "clock">,
  impact: "minor" | "critical" = "critical",
): Promise<string> => {
  const incidentId = await openTestIncident(deps, { impact });
  await resolveIncident(deps, { incidentId, ...updateInput("It is over.") });
  return incidentId;
};

export const postmortemInput = {
  summary: "Charges were slow for an hour.",
  timeline: "10:00 a deployment\n11:00 undone",
  causes: "A missing index.",
  actions: [{ id: null, title: "Add the index", owner: "Ada", dueOn: new Date("2027-01-04") }],
  reason: "The review is finished",
};

/** The published postmortem of an incident, and its action. */
export const publishedPostmortem = async (deps: Pick<Deps, "db" | "clock">) => {
  const incidentId = await openResolvedIncident(deps);
  await writePostmortem(deps, {
    incidentId,
    ...postmortemInput,
    seen: null,
    isPublished: true,
    ...operatorContext(),
  });
  const action = await deps.db.prisma.postmortemAction.findFirstOrThrow({ where: { incidentId } });
  return { incidentId, actionId: action.id };
};

/** A draft incident like those that probes open, with measurements. */
export const insertDraftIncident = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<string> => {
  const [id, at] = [newId("inc"), clock.now()];
  await db.prisma.incident.create({
    data: {
      id,
      title: "Authorization server: major outage",
      state: "draft",
      impact: "critical",
      source: "probe",
      openedBy: "probe",
      startedAt: at,
      createdAt: at,
      components: { create: { component: "authorization_server", state: "major_outage" } },
      updates: {
        create: { id: newId("upd"), sequence: 1, state: "draft", text: "3 of 5 probes failed.", actor: "probe", at },
      },
    },
  });
  return id;
};

/** Schedules a maintenance of one hour. By default, it starts one hour from now. */
export const scheduleTestMaintenance = async (
  deps: Pick<Deps, "db" | "clock">,
  more: Partial<Parameters<typeof scheduleMaintenance>[1]> = {},
): Promise<string> => {
  const [maintenanceId, now] = [newId("mtn"), deps.clock.now()];
  await scheduleMaintenance(deps, {
    maintenanceId,
    title: "A new database",
    components: ["billing_engine"],
    from: addSeconds(now, 3600),
    to: addSeconds(now, 7200),
    ...updateInput("Billing has stopped."),
    ...more,
  });
  return maintenanceId;
};
