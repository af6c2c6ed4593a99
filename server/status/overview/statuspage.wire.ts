import { z } from "zod";

// The format of Atlassian Statuspage's API v2, for tools that read this format.
const instant = z.iso.datetime();
const pageId = "paygrant";

const component = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  page_id: z.string(),
  status: z.enum(["operational", "degraded_performance", "partial_outage", "major_outage", "under_maintenance"]),
  position: z.int(),
  group_id: z.string().nullable(),
  group: z.boolean(),
  showcase: z.boolean(),
  only_show_if_degraded: z.boolean(),
  start_date: z.iso.date().nullable(),
  created_at: instant,
  updated_at: instant,
});

const event = {
  id: z.string(),
  name: z.string(),
  page_id: z.string(),
  shortlink: z.url(),
  impact: z.enum(["none", "minor", "major", "critical", "maintenance"]),
  created_at: instant,
  updated_at: instant,
  started_at: instant,
  monitoring_at: instant.nullable(),
  resolved_at: instant.nullable(),
  components: z.array(component),
};

const update = <Status extends z.ZodType>(status: Status) =>
  z.object({
    id: z.string(),
    incident_id: z.string(),
    status,
    body: z.string(),
    created_at: instant,
    updated_at: instant,
    display_at: instant,
    affected_components: z.array(z.object({ code: z.string(), name: z.string() })),
  });

const incidentStatus = z.enum(["investigating", "identified", "monitoring", "resolved"]);
const maintenanceStatus = z.enum(["scheduled", "in_progress", "verifying", "completed"]);

const incident = z.object({ ...event, status: incidentStatus, incident_updates: z.array(update(incidentStatus)) });
const maintenance = z.object({
  ...event,
  status: maintenanceStatus,
  incident_updates: z.array(update(maintenanceStatus)),
  scheduled_for: instant,
  scheduled_until: instant,
});

export type StatuspageComponent = z.infer<typeof component>;
export type StatuspageIncident = z.infer<typeof incident>;
export type StatuspageMaintenance = z.infer<typeof maintenance>;

const page = z.object({
  id: z.literal(pageId),
  name: z.string(),
  url: z.url(),
  time_zone: z.string(),
  updated_at: instant,
});
const status = z.object({
  indicator: z.enum(["none", "maintenance", "minor", "major", "critical"]),
  description: z.string(),
});
const components = z.array(component);
const incidents = z.array(incident);
const maintenances = z.array(maintenance);

export type StatuspagePage = z.infer<typeof page>;
export type StatuspageStatus = z.infer<typeof status>;

/** The bodies of the responses. */
export const statuspageSchemas = {
  summary: z.object({
    page,
    status,
    components,
    incidents: incidents.describe("Incidents that aren't resolved"),
    scheduled_maintenances: maintenances.describe("Maintenance in progress or within the next two weeks"),
  }),
  status: z.object({ page, status }),
  components: z.object({ page, components }),
  incidents: z.object({ page, incidents }),
  maintenances: z.object({ page, scheduled_maintenances: maintenances }),
};

export type Statuspage = { [Name in keyof typeof statuspageSchemas]: z.infer<(typeof statuspageSchemas)[Name]> };

export const statuspageExample: Statuspage["summary"] = {
  page: {
    id: pageId,
    name: "Paygrant",
    url: "https://status.example.com",
    time_zone: "Etc/UTC",
    updated_at: "2026-11-21T12:00:00.000Z",
  },
  status: { indicator: "none", description: "All components are operational" },
  components: [
    {
      id: "authorization_server",
      name: "Authorization server",
      description: null,
      page_id: pageId,
      status: "operational",
      position: 1,
      group_id: null,
      group: false,
      showcase: true,
      only_show_if_degraded: false,
      start_date: null,
      created_at: "2026-08-23T00:00:00.000Z",
      updated_at: "2026-11-18T04:02:11.000Z",
    },
  ],
  incidents: [],
  scheduled_maintenances: [],
};
