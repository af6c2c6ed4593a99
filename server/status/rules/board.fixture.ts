import { type Board, emptyBoard, type Incident, type Maintenance } from "./board.ts";

const at = (minutes: number): Date => new Date(Date.UTC(2026, 10, 21, 9, 0) + minutes * 60_000);

/** An incident with the given changes. */
export const incidentOf = (changes: Partial<Incident> = {}): Incident => ({
  id: "inc_1",
  title: "Invoices are slow to appear",
  state: "identified",
  impact: "minor",
  source: "operator",
  openedBy: "acc_1",
  startedAt: at(41),
  publicAt: at(47),
  resolvedAt: null,
  createdAt: at(44),
  postmortem: null,
  components: [{ component: "billing_engine", state: "degraded" }],
  updates: [
    {
      id: "upd_1",
      sequence: 1,
      state: "investigating",
      actor: "acc_1",
      at: at(44),
      text: "Invoices finalized since 09:41 take up to ten minutes to appear. Nothing is lost.",
    },
    {
      id: "upd_2",
      sequence: 2,
      state: "identified",
      actor: "acc_1",
      at: at(65),
      text: "A roll-up job waits behind a long query. We are moving it to its own queue.",
    },
  ],
  ...changes,
});

export const maintenanceOf = (changes: Partial<Maintenance> = {}): Maintenance => ({
  id: "mnt_1",
  title: "Weekly reset of the sandbox",
  state: "scheduled",
  components: ["sandbox"],
  actor: "system",
  announcedAt: at(0),
  scheduledFrom: at(1080),
  scheduledTo: at(1110),
  startedAt: null,
  endedAt: null,
  updates: [
    { id: "upd_3", sequence: 1, state: "scheduled", text: "All data is replaced.", actor: "system", at: at(0) },
  ],
  ...changes,
});

export const boardOf = (changes: Partial<Board> = {}): Board => ({ ...emptyBoard(at(79)), ...changes });
