import { expect, test } from "vitest";
import { z } from "zod";
import { statuspageSchema } from "#server/status/overview/statuspage.wire.ts";
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

test("serves the Statuspage summary at /api/v2 and below /status, with open CORS (docs/spec/status.md, API)", async () => {
  for (const path of ["/api/v2/summary.json", "/status/api/v2/summary.json"]) {
    const answer = await send(`${statusUrl}${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(z.safeParse(statuspageSchema, answer.json).error).toBeUndefined();
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
