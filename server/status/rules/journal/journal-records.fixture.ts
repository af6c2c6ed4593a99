import type { JournalRecord } from "./journal-record.ts";

const start = Date.UTC(2026, 10, 21, 12);
const minute = (count: number): Date => new Date(start + count * 60_000);

/** One outage as the status process journals it: every kind of record, ids ending in `tag`. */
export const outageRecords = (tag: string, subscriberId = "sub_1"): JournalRecord[] => {
  const change = { kind: "change", source: "probe", subject: "", actor: "probe" } as const;
  const component = "wallet_portal";
  const components = [{ component, state: "partial_outage" }] as const;
  const [incidentId, alertId, updateId] = [`inc_${tag}`, `alt_${tag}`, `upd_1_${tag}`];
  return [
    { kind: "heartbeat", id: `hb_1_${tag}`, at: minute(0), components: [component, "sandbox"] },
    { ...change, id: `chg_1_${tag}`, component, state: "partial_outage", at: minute(1), reason: "HTTP 500, „äöü“" },
    {
      kind: "incident_opened",
      id: incidentId,
      title: "Wallet portal is out",
      impact: "major",
      isDraft: false,
      startedAt: minute(1),
      at: minute(3),
      components,
      updateId,
      text: "The wallet answers with errors.",
    },
    { kind: "alert_started", id: alertId, component, rule: "page_fast", burnRate: 20.5, at: minute(4) },
    {
      kind: "notice",
      id: `ntf_1_${tag}`,
      subscriberId,
      updateId,
      at: minute(4),
      attempts: 1,
      outcome: "failed",
      problem: "no answer",
    },
    {
      kind: "notice",
      id: `ntf_2_${tag}`,
      subscriberId,
      updateId,
      at: minute(5),
      attempts: 2,
      outcome: "sent",
      problem: null,
    },
    {
      kind: "incident_updated",
      id: `upd_2_${tag}`,
      incidentId,
      state: "monitoring",
      at: minute(6),
      text: "It answers again.",
      components: [{ component, state: "degraded" }],
    },
    { ...change, id: `chg_2_${tag}`, component, state: "operational", at: minute(6), reason: "all checks pass" },
    {
      kind: "incident_updated",
      id: `upd_3_${tag}`,
      incidentId,
      state: "resolved",
      at: minute(8),
      text: "It kept answering.",
      components: [],
    },
    { kind: "alert_ended", id: `ale_${tag}`, alertId, at: minute(9) },
    { kind: "heartbeat", id: `hb_2_${tag}`, at: minute(10), components: [component, "sandbox"] },
  ];
};
