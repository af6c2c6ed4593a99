import type { Deps } from "#server/deps/deps.ts";
import type { ComponentState } from "#server/status/rules/board.ts";
import { type ComponentKey, components } from "#server/status/rules/components.ts";
import { demoActor } from "#server/status/rules/journal/journal-record.ts";
import { dayMilliseconds as day, utcDayOf } from "#server/status/rules/uptime/utc-calendar.ts";

const minute = 60_000;
const historyDays = 90;
const probe = { source: "probe", subject: "", actor: demoActor } as const;

type Said = { component: ComponentKey; state: ComponentState; at: number; reason: string };
type Change = Said & { source: "probe" | "operator" | "cascade"; subject: string; actor: string };

/** A counter instead of random numbers, so that the same day gives the same data. */
const idOf = (prefix: string, count: number): string => `${prefix}_Demo${String(count).padStart(20, "0")}`;

/** The instant of a time in UTC, such as `13:07`, some days ago. */
type Moment = (daysAgo: number, time: string) => number;
const momentOf =
  (today: number): Moment =>
  (daysAgo, time) => {
    const [hours = 0, minutes = 0] = time.split(":").map(Number);
    return today - daysAgo * day + (hours * 60 + minutes) * minute;
  };

/** Findings of probes in addition to the incident: component, state, how many days ago, from, to, reason. */
const troubles: readonly [ComponentKey, ComponentState, number, string, string, string][] = [
  ["discovery_directory", "partial_outage", 72, "11:02", "11:20", "2 of 3 checks failed"],
  ["billing_engine", "partial_outage", 51, "02:14", "02:31", "2 of 3 checks failed"],
  ["sandbox", "major_outage", 44, "16:05", "16:55", "All checks failed"],
  ["billing_engine", "degraded", 9, "06:40", "08:25", "the roll-up queue is 20 minutes behind"],
];

const troubleChanges = (moment: Moment): Change[] =>
  troubles.flatMap(([component, state, daysAgo, from, to, reason]) => [
    { ...probe, component, state, at: moment(daysAgo, from), reason },
    { ...probe, component, state: "operational" as const, at: moment(daysAgo, to), reason: "All checks pass" },
  ]);

/** The start of the probes, and half an hour in which they didn't run. */
const heartbeatChanges = (moment: Moment): Change[] =>
  components.flatMap(({ key: component }) => [
    {
      ...probe,
      component,
      state: "operational" as const,
      at: moment(historyDays, "00:00"),
      reason: "All checks pass",
    },
    { ...probe, component, state: "unknown" as const, at: moment(27, "22:10"), reason: "No probe ran" },
    { ...probe, component, state: "operational" as const, at: moment(27, "22:41"), reason: "All checks pass" },
  ]);

const incidentDaysAgo = 34;
const incidentId = idOf("inc", 1);

const incidentChanges = (moment: Moment, operatorId: string): Change[] => {
  const at = (time: string) => moment(incidentDaysAgo, time);
  const byOperator = { source: "operator", subject: incidentId, actor: operatorId } as const;
  const cascade = { source: "cascade", subject: "", actor: "cascade", component: "sandbox" } as const;
  const [server, wallet] = ["authorization_server", "wallet_portal"] as const;
  return [
    { ...probe, component: server, state: "major_outage", at: at("13:07"), reason: "All checks failed" },
    {
      ...cascade,
      state: "degraded",
      at: at("13:07"),
      reason: "Affected by production: outage of Authorization server",
    },
    { ...probe, component: wallet, state: "partial_outage", at: at("13:10"), reason: "2 of 3 checks failed" },
    { ...byOperator, component: server, state: "major_outage", at: at("13:12"), reason: "Tokens can’t be signed" },
    { ...probe, component: wallet, state: "operational", at: at("13:24"), reason: "All checks pass" },
    { ...probe, component: server, state: "operational", at: at("13:26"), reason: "All checks pass" },
    { ...byOperator, component: server, state: "operational", at: at("13:28"), reason: "Resolved" },
    { ...cascade, state: "operational", at: at("13:28"), reason: "Its dependencies have recovered" },
  ];
};

const updates = [
  ["investigating", "13:12", "No access tokens have been issued since 13:07. We are looking for the cause."],
  [
    "identified",
    "13:19",
    "The new signing key was activated before every node had loaded it. We are going back to the previous one.",
  ],
  ["monitoring", "13:28", "Tokens have been issued again since 13:26. We are monitoring the service."],
  ["resolved", "13:58", "Everything has worked for half an hour. A postmortem will follow within five working days."],
] as const;

const seedIncident = async ({ db }: Deps, moment: Moment, operatorId: string): Promise<void> => {
  const at = (time: string) => new Date(moment(incidentDaysAgo, time));
  const publishedAt = new Date(moment(incidentDaysAgo - 3, "10:30"));
  await db.prisma.incident.create({
    data: {
      id: incidentId,
      title: "No access tokens were issued",
      state: "resolved",
      impact: "critical",
      source: "probe",
      openedBy: "probe",
      startedAt: at("13:07"),
      publicAt: at("13:12"),
      resolvedAt: at("13:58"),
      createdAt: at("13:08"),
      components: {
        create: [
          { component: "authorization_server", state: "major_outage" },
          { component: "wallet_portal", state: "partial_outage" },
        ],
      },
      updates: {
        create: updates.map(([state, time, text], index) => ({
          id: idOf("upd", index + 1),
          sequence: index + 1,
          state,
          text,
          actor: operatorId,
          at: at(time),
        })),
      },
      postmortem: { create: postmortemOf(operatorId, publishedAt, moment) },
    },
  });
};

const postmortemOf = (author: string, publishedAt: Date, moment: Moment) => {
  const actions = [
    ["Activate a signing key only when every node has reported it", "Ola Operator", 29, 27],
    ["Page on failed signatures within one minute", "Ola Operator", 26, 24],
    ["Rehearse going back to the previous key every quarter", "Ola Operator", 22, 20],
  ] as const;
  return {
    summary:
      "No access tokens were issued for 19 minutes. Payments with existing tokens continued; refreshes and new consents failed. No charge was lost or made twice.",
    timeline:
      "13:07 A scheduled rotation activates the new key.\n13:07 Nodes that have not loaded it fail to sign.\n13:08 Probes fail; a draft is opened and the operator on call is paged.\n13:19 The cause is found.\n13:26 The previous key is active again.\n13:58 Resolved.",
    causes:
      "A key became active at a fixed time. Two nodes read keys only every ten minutes. No check compared the keys that nodes had loaded with the key about to be activated.",
    publishedAt,
    author,
    updatedAt: publishedAt,
    actions: {
      create: actions.map(([title, owner, doneDaysAgo, dueDaysAgo], index) => ({
        id: idOf("act", index + 1),
        position: index + 1,
        title,
        owner,
        dueOn: new Date(moment(dueDaysAgo, "00:00")),
        doneAt: new Date(moment(doneDaysAgo, "15:00")),
      })),
    },
  };
};

/** The sandbox's reset each Sunday, announced the week before. */
const seedResets = async ({ db }: Deps, moment: Moment, today: number): Promise<Change[]> => {
  const days = Array.from({ length: historyDays - 1 }, (_, index) => index + 1);
  const sundays = days.filter((daysAgo) => new Date(today - daysAgo * day).getUTCDay() === 0);
  const resets = sundays.map((daysAgo, index) => ({ daysAgo, id: idOf("mnt", index + 1), number: index }));
  const of = (daysAgo: number, time: string) => new Date(moment(daysAgo, time));
  for (const { daysAgo, id, number } of resets) {
    const stages = [
      ["scheduled", daysAgo + 7, "03:10", "All data of the sandbox is replaced, and it gets new keys."],
      ["in_progress", daysAgo, "03:00", "The reset has begun."],
      ["completed", daysAgo, "03:08", "The sandbox was reset."],
    ] as const;
    await db.prisma.maintenance.create({
      data: {
        id,
        title: "Weekly reset of the sandbox",
        state: "completed",
        components: ["sandbox"],
        actor: "reset",
        announcedAt: of(daysAgo + 7, "03:10"),
        scheduledFrom: of(daysAgo, "03:00"),
        scheduledTo: of(daysAgo, "03:30"),
        startedAt: of(daysAgo, "03:00"),
        endedAt: of(daysAgo, "03:08"),
        updates: {
          create: stages.map(([state, when, time, text], index) => ({
            id: idOf("upd", 100 + number * stages.length + index),
            sequence: index + 1,
            state,
            text,
            actor: "reset",
            at: of(when, time),
          })),
        },
      },
    });
  }
  return resets.flatMap(({ daysAgo, id }): Change[] => {
    const reset = { source: "operator", subject: id, actor: "reset", component: "sandbox" } as const;
    return [
      { ...reset, state: "maintenance", at: moment(daysAgo, "03:00"), reason: "Weekly reset" },
      { ...reset, state: "operational", at: moment(daysAgo, "03:08"), reason: "Completed" },
    ];
  });
};

/** The status page's last 90 days: findings of probes, an incident with its postmortem, the sandbox's weekly resets. */
export const seedStatus = async (deps: Deps, operatorId: string): Promise<void> => {
  const now = deps.clock.now();
  const today = utcDayOf(now.getTime()).from;
  const moment = momentOf(today);
  const changes = [
    ...heartbeatChanges(moment),
    ...troubleChanges(moment),
    ...incidentChanges(moment, operatorId),
    ...(await seedResets(deps, moment, today)),
  ].sort((left, right) => left.at - right.at);
  await seedIncident(deps, moment, operatorId);
  await deps.db.prisma.componentChange.createMany({
    data: changes.map((change, index) => ({ ...change, id: idOf("cch", index + 1), at: new Date(change.at) })),
  });
  await deps.db.prisma.componentHeartbeat.createMany({
    data: components.map(({ key }) => ({ component: key, at: now })),
  });
};
