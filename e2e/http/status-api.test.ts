import { expect, test } from "vitest";
import { z } from "zod";
import { statuspageSchemas } from "#server/status/overview/statuspage.wire.ts";
import { recomputeAll } from "../outside/recompute-uptime.ts";
import { expectFieldProblem } from "../support/answers/error-shape.ts";
import { send } from "../support/answers/wire.ts";

const statusUrl = process.env["E2E_STATUS_URL"] ?? "";
const productionUrl = process.env["E2E_PRODUCTION_URL"] ?? "";

test("the figures of the status page can be recomputed from its downloads (docs/spec/status.md, Uptime)", async () => {
  const { components, problems } = await recomputeAll(statusUrl);
  expect(problems).toEqual([]);
  expect(components).toHaveLength(6);
});

test("serves the Statuspage API at /api/v2 and below /status (docs/spec/status.md, API)", async () => {
  const schemas = {
    "summary.json": statuspageSchemas.summary,
    "status.json": statuspageSchemas.status,
    "components.json": statuspageSchemas.components,
    "incidents.json": statuspageSchemas.incidents,
    "incidents/unresolved.json": statuspageSchemas.incidents,
    "scheduled-maintenances.json": statuspageSchemas.maintenances,
    "scheduled-maintenances/active.json": statuspageSchemas.maintenances,
    "scheduled-maintenances/upcoming.json": statuspageSchemas.maintenances,
  };
  for (const [name, schema] of Object.entries(schemas)) {
    for (const path of [`/api/v2/${name}`, `/status/api/v2/${name}?t=1`]) {
      const answer = await send(`${statusUrl}${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(z.safeParse(z.strictObject(schema.shape), answer.json).error).toBeUndefined();
    }
  }
  const all = await send(`${statusUrl}/api/v2/incidents.json`);
  // The demo data has a resolved incident.
  expect(all.json?.["incidents"]).toContainEqual(expect.objectContaining({ status: "resolved" }));
  const open = await send(`${statusUrl}/api/v2/incidents/unresolved.json`);
  expect(open.json?.["incidents"]).not.toContainEqual(expect.objectContaining({ status: "resolved" }));
  expect((await send(`${statusUrl}/api/v2/other.json`)).headers.get("content-type")).toBe("application/problem+json");
});

test("lets web pages of any origin read the API, with its errors (Fetch §3.3)", async () => {
  const paths = ["/status/v1/summary", "/status/v1/uptime?x=1", "/api/v2/status.json", "/status/feed.rss"];
  for (const path of paths) {
    const answer = await send(`${statusUrl}${path}`);
    expect([path, answer.headers.get("access-control-allow-origin")]).toEqual([path, "*"]);
    const preflight = await send(`${statusUrl}${path}`, {
      method: "OPTIONS",
      headers: { origin: "https://tool.example", "access-control-request-method": "GET" },
    });
    const allowed = ["access-control-allow-origin", "access-control-allow-methods"];
    expect([path, preflight.status, ...allowed.map((name) => preflight.headers.get(name))]).toEqual([
      path,
      204,
      "*",
      "GET, HEAD, OPTIONS",
    ]);
  }
});

test("serves maintenance as a calendar (RFC 5545)", async () => {
  for (const path of ["/maintenance.ics", "/status/maintenance.ics"]) {
    const answer = await send(`${statusUrl}${path}`);
    expect(answer.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(answer.text).toMatch(/^BEGIN:VCALENDAR\r\n.*BEGIN:VEVENT\r\n.*END:VCALENDAR\r\n$/s);
  }
});

test("redirects the paths of a Statuspage site to the paths of the status page, and all other paths to production (docs/spec/product.md, Components and hosts)", async () => {
  const leads = {
    "/history?month=2026-01": "/status/history?month=2026-01",
    "/incidents/inc_1": "/status/incidents/inc_1",
    "/history.atom": "/status/feed.atom",
    "/history.rss?x=1": "/status/feed.rss",
    "/histories": `${productionUrl}/histories`,
  };
  for (const [path, location] of Object.entries(leads)) {
    const answer = await send(`${statusUrl}${path}`);
    expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 307, location]);
  }
});

test("refuses an unknown component and names the parameter (docs/spec/product.md, Invalid requests)", async () => {
  const answer = await send(`${statusUrl}/status/v1/uptime?component=nothing`);
  expectFieldProblem(answer, "#component");
});

test("refuses an unknown parameter of any name, and names it (docs/spec/product.md, Invalid requests)", async () => {
  for (const name of ["toString", "__proto__", "constructor", "other"]) {
    const answer = await send(`${statusUrl}/status/v1/uptime?component=sandbox&${name}=x&${name}=y`);
    expect([answer.status, answer.json?.["errors"]]).toMatchObject([400, [{ pointer: `#${name}` }]]);
  }
});

test("serves one component's intervals as CSV (RFC 4180)", async () => {
  const answer = await send(`${statusUrl}/status/components/sandbox/intervals.csv`);
  expect(answer.headers.get("content-type")).toContain("text/csv");
  const [header, ...lines] = answer.text.trimEnd().split("\r\n");
  expect(header).toBe("from,to,source,subject,state");
  for (const line of lines) expect(line.split(",")).toHaveLength(5);
});
