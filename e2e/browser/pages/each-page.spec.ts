import { globSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import type { EnvironmentName } from "../../support/instance.ts";
import { expectNoAxeViolations } from "../axe.ts";
import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { layoutShiftOf, maxLayoutShift } from "../layout-shift.ts";
import { type DemoAccount, test } from "./demo-service.ts";

// Tests each page of app/ with the demo data, as a visitor and as each role that can open it. The browser opens each
// page as the first role. It opens the page as another role only if the page differs for this role.

const app = path.resolve(import.meta.dirname, "../../../app");
const routeOf = (file: string): string => `/${path.dirname(file)}`.replace(/\/\([a-z]+\)/g, "") || "/";
const routes = globSync("**/page.tsx", { cwd: app })
  .map(routeOf)
  .filter((route) => !route.endsWith("/[...rest]") && !route.endsWith("/not-found"))
  .sort();

/** Pages of objects that the demo data doesn't have, and the tests of these pages. */
const testedBy: Readonly<Record<string, string>> = {
  "/consent/[handle]": "consent/consent.spec.ts",
  "/docs/api/[operation]": "public/pages.spec.ts",
  "/docs/rules/[chapter]": "public/pages.spec.ts",
  "/invitations/[token]": "merchant/team.spec.ts",
  "/merchant/billing/alerts/[alertId]": "merchant/billing-spend.spec.ts",
  "/merchant/billing/invoices/[invoiceId]": "merchant/billing.spec.ts",
  "/merchant/billing/invoices/[invoiceId]/lines/[lineId]": "merchant/billing.spec.ts",
  "/merchant/logs/[requestId]": "merchant/apps.spec.ts",
  "/merchant/webhooks/[endpointId]": "merchant/webhooks.spec.ts",
  "/merchant/webhooks/[endpointId]/edit": "merchant/webhooks.spec.ts",
  "/merchant/webhooks/deliveries/[deliveryId]": "merchant/webhooks.spec.ts",
  "/operator/invoices/[invoiceId]": "operator/billing.spec.ts",
  "/operator/invoices/[invoiceId]/credit-note": "operator/billing.spec.ts",
  "/operator/invoices/[invoiceId]/lines/[lineId]": "operator/billing.spec.ts",
  "/operator/outbox/[mailId]": "operator/console.spec.ts",
  "/wallet/approvals/[id]": "wallet/approvals.spec.ts",
  "/wallet/upcoming/[id]": "wallet/charges.spec.ts",
};

/** For each other page that shows an object: the object of the demo data that the test opens. */
const objects: Readonly<Record<string, string>> = {
  "/merchant/apps/[clientId]": "SELECT id FROM client WHERE name = 'Fresh Market checkout'",
  "/merchant/payments/[chargeId]": "SELECT id FROM charge WHERE reference = 'order-1231'",
  "/wallet/activity/[id]": "SELECT id FROM charge WHERE reference = 'order-1231'",
  "/wallet/mandates/[id]": "SELECT id FROM mandate WHERE state = 'active'",
  "/merchant/mandates/[mandateId]": "SELECT id FROM mandate WHERE state = 'active'",
  "/operator/plans/[planId]": "SELECT id FROM billing_plan WHERE id = 'pro'",
  "/operator/clients/[clientId]": "SELECT id FROM client WHERE name = 'Fresh Market checkout'",
  "/operator/directory/[participantId]": "SELECT id FROM participant WHERE roles @> '{merchant}' LIMIT 1",
  "/operator/payers/[accountId]": "SELECT id FROM account WHERE email = 'payer@demo.paygrant.test'",
  "/operator/charges/[chargeId]": "SELECT id FROM charge WHERE reference = 'order-1231'",
  "/operator/mandates/[mandateId]": "SELECT id FROM mandate WHERE state = 'active'",
  "/operator/merchants/[merchantId]": "SELECT id FROM merchant WHERE display_name = 'Fresh Market'",
  "/operator/incidents/[incidentId]": "SELECT incident_id AS id FROM postmortem LIMIT 1",
  "/operator/maintenance/[maintenanceId]": "SELECT id FROM maintenance LIMIT 1",
  "/directory/[participant_id]": "SELECT id FROM participant WHERE roles @> '{merchant}' LIMIT 1",
  "/status/components/[component]": "SELECT 'authorization_server' AS id",
  "/status/incidents/[id]": "SELECT incident_id AS id FROM postmortem LIMIT 1",
  "/status/maintenance/[id]": "SELECT id FROM maintenance LIMIT 1",
};

const findAddress = async (route: string, environment: EnvironmentName): Promise<string> => {
  const known = Object.keys(objects).find((pattern) => route === pattern || route.startsWith(`${pattern}/`));
  if (!known) return route;
  const { rows } = await query((client) => client.query(objects[known] ?? ""), environment);
  return route.replace(/\[\w+\]/, rows[0].id);
};

const publicPages = new Set(globSync("(public)/**/page.tsx", { cwd: app }).map(routeOf));
const isPublic = (route: string): boolean => publicPages.has(route);

/** Pages that a role can't open. They look like pages that don't exist. */
const closed: Readonly<Record<string, readonly string[]>> = {
  "merchant developer": ["/merchant/audit", "/merchant/billing/alerts/new"],
  "merchant viewer": [
    "/merchant/apps/[clientId]/edit",
    "/merchant/apps/[clientId]/keys",
    "/merchant/apps/new",
    "/merchant/apps/new-statement",
    "/merchant/apps/register",
    "/merchant/audit",
    "/merchant/billing/alerts/new",
    "/merchant/directory/new-token",
    "/merchant/webhooks/new",
  ],
  "operator support": [
    "/operator/agents/new",
    "/operator/blocklist/new",
    "/operator/directory/new",
    "/operator/outbox",
  ],
  "operator viewer": [
    "/operator/agents/new",
    "/operator/blocklist/new",
    "/operator/directory/new",
    "/operator/incidents/[incidentId]/postmortem",
    "/operator/incidents/new",
    "/operator/maintenance/new",
    "/operator/outbox",
  ],
};

const errorsOf = (page: Page): string[] => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  // Each prefetch is a request to the process that also serves tokens (components/ui/link.tsx).
  page.on("request", (request) => {
    const headers = request.headers();
    if (headers["next-router-prefetch"] || headers["next-router-segment-prefetch"])
      errors.push(`prefetched ${request.url()}`);
  });
  return errors;
};

const setRole = (text: string, role: string, environment: EnvironmentName): Promise<void> =>
  query(async (client) => void (await client.query(text, [role])), environment);

type Portal = {
  account: DemoAccount;
  /** the status pages and the incidents exist in production only */
  environment: EnvironmentName;
  /** The first role may do everything. */
  roles: readonly string[];
  assign: string | null;
};

const portals: Readonly<Record<string, Portal>> = {
  wallet: { account: "payer", environment: "sandbox", roles: ["payer"], assign: null },
  merchant: {
    account: "merchant",
    environment: "sandbox",
    roles: ["owner", "admin", "developer", "viewer"],
    assign: "UPDATE merchant_member SET role = $1",
  },
  operator: {
    account: "operator",
    environment: "production",
    roles: ["admin", "support", "viewer"],
    assign: "UPDATE account SET operator_role = $1 WHERE operator_role IS NOT NULL",
  },
};

/** The name of the page's images. */
const nameOf = (route: string): string => `each${route.replaceAll(/[/[\]]+/g, "-")}`;

// These tests run last. Without parallel mode, one worker would be idle. Each worker has its own service.
test.describe.configure({ mode: "parallel", timeout: 1_800_000 });

/** Checks the pages that the test opens one after the other. */
const pageChecks = (page: Page, errors = errorsOf(page)) => {
  const titles = new Map<string, string>();
  return async (route: string, address: string, expectLooks: () => Promise<void>): Promise<void> => {
    const answer = await page.goto(address);
    expect.soft(answer?.status(), route).toBe(200);
    await expect.soft(page.getByRole("heading", { level: 1 }), route).toHaveCount(1);
    const title = await page.title();
    expect.soft(titles.get(title), `the title of ${route} differs from others`).toBeUndefined();
    titles.set(title, route);
    const { sum, moved } = await layoutShiftOf(page);
    expect.soft(sum, `the layout shift of ${route}\n${moved}`).toBeLessThan(maxLayoutShift);
    await expectLooks();
    expect.soft(errors.splice(0), route).toEqual([]);
  };
};

/** The HTML of the page without the navigation, the name of the role, and the parts that differ in each response. */
const contentOf = (html: string): string =>
  html
    .replace(/<(script|nav)\b.*?<\/\1>/gs, "")
    .replace(/<section aria-label="Merchant and environment".*?<\/section>/s, "")
    .replace(/ (?:id|for|name|nonce|data-request-id|aria-[a-z]+by)="[^"]*"/g, "")
    .replace(/<link [^>]*>/g, "");

const pagesOf = (portal: string): string[] =>
  routes.filter((route) => new RegExp(`^/${portal}(/|$)`).test(route) && !(route in testedBy) && !isPublic(route));

test("each public page works for a visitor", async ({ page, addressOf }) => {
  const errors = errorsOf(page);
  for (const route of routes.filter((one) => isPublic(one) && !(one in testedBy))) {
    const isStatus = route.startsWith("/status");
    const address = await findAddress(route, isStatus ? "production" : "sandbox");
    const answer = await page.goto(addressOf(isStatus ? "status" : "sandbox") + address);
    expect.soft(answer?.status(), route).toBe(200);
    await expect.soft(page.getByRole("heading", { level: 1 }), route).toHaveCount(1);
    const { sum, moved } = await layoutShiftOf(page);
    expect.soft(sum, `the layout shift of ${route}\n${moved}`).toBeLessThan(maxLayoutShift);
    await expectGoodLooks(page, nameOf(route));
    expect.soft(errors.splice(0), route).toEqual([]);
  }
});

for (const [name, { account, environment, roles, assign }] of Object.entries(portals)) {
  const pages = pagesOf(name);
  const [first = ""] = roles;
  test(`${name}: each page works as ${first}`, async ({ page, addressOf, signInByPassword }) => {
    await signInByPassword(account, environment);
    if (assign) await setRole(assign, first, environment);
    const check = pageChecks(page);
    for (const route of pages) {
      const address = addressOf(environment) + (await findAddress(route, environment));
      await check(route, address, () => expectGoodLooks(page, nameOf(route)));
    }
  });
}

// These tests are shorter and start last, so that both workers end at about the same time.
for (const [name, { account, environment, roles, assign }] of Object.entries(portals)) {
  const pages = pagesOf(name);
  const [first = "", ...others] = roles;
  if (others.length === 0) continue;
  test(`${name}: each page works as ${others.join(", ")}`, async ({ page, addressOf, signInByPassword }) => {
    await signInByPassword(account, environment);
    const addresses = new Map<string, string>();
    for (const route of pages) addresses.set(route, addressOf(environment) + (await findAddress(route, environment)));
    const loadAll = async (role: string) => {
      if (assign) await setRole(assign, role, environment);
      const answers = new Map<string, { status: number; content: string }>();
      for (const [route, address] of addresses) {
        const answer = await page.request.get(address);
        answers.set(route, { status: answer.status(), content: contentOf(await answer.text()) });
      }
      return answers;
    };
    const seen = await loadAll(first);
    const errors = errorsOf(page);
    for (const role of others) {
      const check = pageChecks(page, errors);
      for (const [route, { status, content }] of await loadAll(role)) {
        const asRole = `${route} as ${role}`;
        const isClosed = closed[`${name} ${role}`]?.includes(route) ?? false;
        expect.soft(status, asRole).toBe(isClosed ? 404 : 200);
        // The test of the first role has checked the same content, but not the navigation of this role.
        const isChecked = content === seen.get(route)?.content && route !== pages[0];
        if (isClosed || isChecked) continue;
        await check(asRole, addresses.get(route) ?? "", () => expectNoAxeViolations(page));
      }
    }
  });
}
