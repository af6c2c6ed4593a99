import type { Page } from "@playwright/test";
import {
  describeInstance,
  startTestInstance,
  type TestInstance,
  testEnvironment,
} from "#server/cli/checks/test-instance.ts";
import { textOf } from "../../support/answers/wire.ts";
import { mandateDetails, pushFields } from "../../support/oauth/mandate-flow.ts";
import { makeKey } from "../../support/oauth/oauth-client.ts";
import { makeInitialAccessToken, postAs, registerAgent, registerMerchant } from "../../support/oauth/parties.ts";
import { openAgentSite } from "../consent/consent-request.ts";
import { expect, test, untilIdle } from "../fixtures.ts";

// Each component has a separate host (docs/spec/product.md, Components and hosts). Chromium resolves the names.

type Hosts = { base: string; wallet: string; directory: string; cdn: string; status: string };

let instance: TestInstance;
let hosts: Hosts;
const others = { ...process.env };

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  const environment = await testEnvironment({ WEB_CONCURRENCY: "1", OUTBOUND_LOOPBACK: "1" });
  const at = (name: string, port: string | undefined = environment["PORT"]) => `http://${name}localhost:${port}`;
  hosts = {
    base: at(""),
    wallet: at("wallet."),
    directory: at("directory."),
    cdn: at("cdn."),
    status: at("status.", environment["STATUS_PORT"]),
  };
  instance = await startTestInstance({
    ...environment,
    WALLET_URL: hosts.wallet,
    DISCOVERY_URL: hosts.directory,
    CDN_URL: hosts.cdn,
    STATUS_URL: hosts.status,
  });
  Object.assign(process.env, await describeInstance(instance));
});

test.afterAll(async () => {
  await instance?.stop();
  await instance?.remove();
  Object.assign(process.env, others);
});

/** Collects script errors, policy violations and failed requests of the pages that the browser visits from now on. */
const watch = (page: Page): string[] => {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${page.url()}: ${message.text()}`);
  });
  return problems;
};

/**
 * Opens each link of header and footer. All must work.
 * @param expected the origin of the page that each link opens, by the link's path
 */
const expectFrameLinks = async (page: Page, expected: Readonly<Record<string, string>>): Promise<void> => {
  const links = await page
    .locator("header a:visible, footer a:visible")
    .evaluateAll((all) => [...new Set(all.map((one) => (one as HTMLAnchorElement).href))]);
  const ends: Record<string, string> = {};
  for (const link of links) {
    // The browser downloads feeds.
    if (/\.(?:rss|atom)$/.test(link)) continue;
    const response = await page.goto(link, { waitUntil: "domcontentloaded" });
    expect(response?.status(), link).toBe(200);
    ends[new URL(link).pathname] ??= new URL(page.url()).origin;
  }
  expect(ends).toMatchObject(expected);
};

/** Collects the status and the origin of the files that pages load from now on, by kind of file. */
const watchFiles = (page: Page): Map<string, Set<string>> => {
  const loaded = new Map<string, Set<string>>();
  page.on("response", (response) => {
    const { pathname, origin } = new URL(response.url());
    if (!pathname.includes("/_next/static/")) return;
    const kind = pathname.replace(/^.*\./, "");
    loaded.set(kind, (loaded.get(kind) ?? new Set()).add(`${response.status()} ${origin}`));
  });
  return loaded;
};

const signIn = async (page: Page): Promise<void> => {
  await page.getByLabel("E-mail").fill("payer@demo.paygrant.test");
  await page.getByLabel("Password").fill("paygrant-demo");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
};

test("pages load their scripts, styles and fonts from CDN_URL, except the status page", async ({ page }) => {
  const problems = watch(page);
  const loaded = watchFiles(page);
  await page.goto(`${hosts.wallet}/sign-in`);
  await page.evaluate(() => document.fonts.ready);
  await signIn(page);
  await expect(page).toHaveURL(`${hosts.wallet}/wallet`);
  // The router loads the scripts of the next page.
  await page.getByRole("link", { name: "Activity", exact: true }).first().click();
  await expect(page).toHaveURL(`${hosts.wallet}/wallet/activity`);
  for (const address of [`${hosts.base}/docs/button`, `${hosts.base}/nothing`, `${hosts.directory}/`]) {
    await page.goto(address);
    await untilIdle(page);
  }
  const files = ["js", "css", "woff2"].map((kind) => [kind, [...(loaded.get(kind) ?? [])]]);
  const fromCdn = [`200 ${hosts.cdn}`];
  expect(files).toEqual([
    ["js", fromCdn],
    ["css", fromCdn],
    ["woff2", fromCdn],
  ]);
  loaded.clear();
  await page.goto(`${hosts.status}/`);
  await untilIdle(page);
  expect([...(loaded.get("js") ?? [])]).toEqual([`200 ${hosts.status}`]);
  expect(problems.filter((problem) => !problem.startsWith(`${hosts.base}/nothing`))).toEqual([]);
});

test("public pages link to each component on its host, and these links work", async ({ page }) => {
  const problems = watch(page);
  const { base, wallet, directory, status } = hosts;
  await page.goto(`${base}/`);
  const shared = { "/wallet": wallet, "/docs": base, "/docs/errors": base, "/pricing": base };
  await expectFrameLinks(page, shared);
  await page.goto(`${directory}/`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectFrameLinks(page, shared);
  await page.goto(`${status}/`);
  await expectFrameLinks(page, { "/status": status, "/status/history": status, "/": base });
  expect(problems).toEqual([]);
});

test("the portals, their session cookie and a consent are on WALLET_URL", async ({ page, context }) => {
  const problems = watch(page);
  await page.goto(`${hosts.base}/wallet/activity`);
  await expect(page).toHaveURL(`${hosts.wallet}/sign-in?return_to=%2Fwallet%2Factivity`);
  await signIn(page);
  await expect(page).toHaveURL(`${hosts.wallet}/wallet/activity`);
  const session = (await context.cookies()).find(({ name }) => name === "__Host-pg_live");
  expect(session).toMatchObject({ domain: "wallet.localhost", path: "/", secure: true, httpOnly: true });

  const site = await openAgentSite();
  const register = async (kind: "agent" | "merchant") => {
    const { token, merchantId } = await makeInitialAccessToken("production", kind);
    return { headers: { authorization: `Bearer ${token}` }, merchantId };
  };
  const [forAgent, forMerchant] = [await register("agent"), await register("merchant")];
  const metadata = { redirect_uris: [site.redirectUri] };
  const agent = await registerAgent(hosts.base, { headers: forAgent.headers, metadata });
  await registerMerchant(hosts.base, { headers: forMerchant.headers });
  const { form } = pushFields([mandateDetails(forMerchant.merchantId ?? "")], { redirect_uri: site.redirectUri });
  const pushed = await postAs(agent, "/oauth/par", { form, dpop: await makeKey() });
  const query = new URLSearchParams({ client_id: agent.id, request_uri: textOf(pushed, "request_uri") });
  await page.goto(`${hosts.base}/oauth/authorize?${query}`);
  expect(new URL(page.url()).origin).toBe(hosts.wallet);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  expect((await site.answer).get("iss")).toBe(hosts.base);
  site.close();

  await page.goto(`${hosts.wallet}/`);
  await expect(page).toHaveURL(`${hosts.wallet}/wallet`);
  await expectFrameLinks(page, { "/wallet/activity": hosts.wallet });
  await page.goto(`${hosts.wallet}/docs`);
  await expect(page).toHaveURL(`${hosts.base}/docs`);
  expect(problems).toEqual([]);
});

test("a page of another host can read the directory, and can load the bundle's script with an integrity attribute", async ({
  page,
}) => {
  const problems = watch(page);
  const site = await openAgentSite();
  await page.goto(site.redirectUri);
  const { participants, file, type } = await page.evaluate(async ({ directory, cdn }) => {
    const list = await (await fetch(`${directory}/v1/participants`)).json();
    const { files } = await (await fetch(`${cdn}/manifest.json`)).json();
    const file = files.find(({ name }: { name: string }) => name === "paygrant.js");
    const script = Object.assign(document.createElement("script"), {
      src: `${cdn}/${file.path}`,
      integrity: file.integrity,
      crossOrigin: "anonymous",
    });
    await new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
    const type = typeof (window as unknown as { Paygrant?: { startConsent: unknown } }).Paygrant?.startConsent;
    return { participants: list.data.length, file: file.path, type };
  }, hosts);
  expect(participants).toBeGreaterThan(0);
  expect(type).toBe("function");
  site.close();

  await page.goto(`${hosts.base}/docs/button`);
  const code = page.getByRole("region", { name: "Code of Script" });
  await expect(code).toContainText(`${hosts.cdn}/${file}`);
  const widths = () =>
    page.locator("figure img").evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
  await page.locator("figure img").last().scrollIntoViewIfNeeded();
  await expect.poll(async () => Math.min(...(await widths()))).toBeGreaterThan(0);
  const response = await page.goto(`${hosts.cdn}/wallet`);
  expect(response?.status()).toBe(404);
  expect(problems.filter((problem) => !problem.startsWith(hosts.cdn))).toEqual([]);
});
