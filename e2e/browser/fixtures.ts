import { createHash, randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { type BrowserContext, test as base, errors, expect, type Locator, type Page } from "@playwright/test";
import { type EnvironmentName, query } from "../support/instance.ts";
import { expectNoAxeViolations } from "./axe.ts";
import { recordFailedRequests } from "./failed-requests.ts";

export type Payer = { id: string; email: string; password: string };

/** A payer for this test, with two payment methods. */
export const makeBrowserPayer = async (environment: EnvironmentName = "sandbox"): Promise<Payer> => {
  const tail = randomBytes(9).toString("hex");
  const payer = { id: `acc_e2e${tail}`, email: `payer-${tail}@example.test`, password: `pass-${tail}` };
  await query(async (client) => {
    await client.query(
      `INSERT INTO account (id, email, display_name, password_hash, time_zone, created_at)
       VALUES ($1, $2, 'Test Payer', $3, 'Europe/Berlin', now())`,
      [payer.id, payer.email, await hash(payer.password)],
    );
    await client.query(
      `INSERT INTO payment_method (id, payer_id, processor, processor_ref, type, label, is_default, created_at)
       VALUES ($1, $3, 'simulator', 'pm_card_visa', 'card', 'Visa ending in 4242', true, now()),
              ($2, $3, 'simulator', 'pm_card_mastercard', 'card', 'Mastercard ending in 4444', false, now())`,
      [`pm_e2ea${tail}`, `pm_e2eb${tail}`, payer.id],
    );
  }, environment);
  return payer;
};

/** Signs in by inserting a session, which is faster than the form. The form has its own tests. */
export const signInBySession = async (
  context: BrowserContext,
  payer: Pick<Payer, "id">,
  { baseUrl, environment = "sandbox" }: { baseUrl: string; environment?: EnvironmentName },
): Promise<void> => {
  const secret = randomBytes(32).toString("base64url");
  const secretHash = createHash("sha256").update(secret).digest("base64url");
  await query(async (client) => {
    await client.query(
      `INSERT INTO session (id, secret_hash, account_id, created_at, last_seen_at, expires_at, auth_time, acr)
       VALUES ($1, $2, $3, now(), now(), now() + interval '1 hour', now(), 'urn:paygrant:acr:password')`,
      [`ses_e2e${secret.slice(0, 16)}`, secretHash, payer.id],
    );
  }, environment);
  const { hostname } = new URL(baseUrl);
  await context.addCookies([
    {
      name: environment === "production" ? "__Host-pg_live" : "__Host-pg_test",
      value: secret,
      domain: hostname,
      path: "/",
      secure: true,
      httpOnly: true,
      sameSite: "Lax",
    },
  ]);
};

type Fixtures = {
  payer: Payer;
  signedIn: Page;
  sandboxUrl: string;
  /** makes the payer's last authentication older than the 5 minutes that risky actions allow */
  ageProof: () => Promise<void>;
  /** signs another payer in, in another browser */
  signInAnother: (context: BrowserContext) => Promise<void>;
};

/**
 * Waits until React handles the events of each control of the page, for at most a minute. Before that, a press has no
 * effect. The check runs on a timer, because a page behind another one draws no frames.
 */
export const untilHydrated = async (page: Page): Promise<void> => {
  const isHydrated = () =>
    !("__next_f" in window) ||
    [...document.querySelectorAll("button, input, select, textarea")].every((control) =>
      Object.keys(control).some((key) => key.startsWith("__reactProps$")),
    );
  await page.waitForFunction(isHydrated, undefined, { polling: 100, timeout: 60_000 }).catch((error: unknown) => {
    // If a control still has no events, the test fails when it uses the control.
    if (!(error instanceof errors.TimeoutError)) throw error;
  });
};

const idleMilliseconds = 20_000;

/**
 * Waits until the page has sent no requests for half a second, for at most 20 s. On a busy machine, the network of a
 * page may never count as idle.
 */
export const untilIdle = async (page: Page): Promise<void> => {
  await Promise.race([page.waitForLoadState("networkidle", { timeout: 0 }), page.waitForTimeout(idleMilliseconds)]);
};

/** Pages are hydrated when `goto` and `reload` return, unless a test waits for an earlier event. */
const withHydration = (page: Page): Page => {
  const { goto, reload } = { goto: page.goto.bind(page), reload: page.reload.bind(page) };
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (options?.waitUntil !== "commit") await untilHydrated(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await untilHydrated(page);
    return response;
  };
  return page;
};

/** Makes the last authentication of an account older than the 5 minutes that risky actions allow. */
export const ageProofOf = (payer: Payer, environment?: EnvironmentName): Promise<void> =>
  query(async (client) => {
    const text = "UPDATE session SET auth_time = auth_time - interval '6 minutes' WHERE account_id = $1";
    await client.query(text, [payer.id]);
  }, environment);

export const test = base.extend<Fixtures>({
  context: async ({ context }, use, info) => {
    const reportFailed = recordFailedRequests(context);
    await use(context);
    reportFailed(info);
  },
  page: async ({ page }, use) => use(withHydration(page)),
  sandboxUrl: async ({ baseURL }, use) => use(baseURL ?? ""),
  payer: async ({ browserName: _ }, use) => use(await makeBrowserPayer()),
  signedIn: async ({ page, context, payer, sandboxUrl }, use) => {
    await signInBySession(context, payer, { baseUrl: sandboxUrl });
    await use(page);
  },
  ageProof: async ({ payer }, use) => use(() => ageProofOf(payer)),
  signInAnother: async ({ sandboxUrl }, use) =>
    use(async (context) => signInBySession(context, await makeBrowserPayer(), { baseUrl: sandboxUrl })),
});

export { expect, query };

/** Waits for the end of all transitions, such as the fade to another theme. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // A canceled animation, for example of a removed element, has ended too.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });

/** @returns amounts and dates of the page that wrap or are cut off (docs/spec/portal.md, Pages). */
const brokenFigures = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const number = String.raw`\d[\d.,’'\u00a0\u202f]*\d|\d`;
    const sign = String.raw`(?:\b[A-Z]{3}|\p{Sc})`;
    const amount = `[−-]?${sign}[\u00a0\u202f]?(?:${number})|(?:${number})[\u00a0\u202f](?:${sign})`;
    // Thumbprints contain letters that look like a currency.
    const money = `(?<![\\w-])(?:${amount})(?!\\w)`;
    const date = String.raw`\b\d{1,2}\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\s\d{4}(?:,\s\d\d:\d\d)?|(?:[Tt]oday|[Yy]esterday),\s\d\d:\d\d`;
    const figure = new RegExp(`${money}|${date}`, "gu");
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      // Random keys and tokens may contain what looks like an amount.
      !element.closest(".visuallyHidden, script, style, option, code, pre");
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const found = [...(node.textContent ?? "").matchAll(figure)];
      if (found.length === 0 || !parent || !isShown(parent)) continue;
      for (const { 0: text, index } of found) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + text.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 4)));
        const clipping = parent.closest("p, span, td, div, dd, li");
        const isCut =
          clipping !== null &&
          getComputedStyle(clipping).textOverflow === "ellipsis" &&
          clipping.scrollWidth > clipping.clientWidth + 1;
        if (lines.size > 1 || isCut) broken.push(text);
      }
    }
    return broken;
  });

/** @returns the table cells that aren't shown. There should be none: a narrow screen shows every column, as cards. */
const hiddenCells = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("main table td:not(:empty)")]
      .filter((cell) => !cell.closest("details:not([open])") && !cell.checkVisibility({ visibilityProperty: true }))
      .map((cell) => cell.textContent ?? ""),
  );

/** Checks at the smallest supported width. */
export const expectWholeFigures = async (page: Page, name: string): Promise<void> => {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 900 });
  await settled(page);
  expect(await brokenFigures(page), `${name}: figures that wrap`).toEqual([]);
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overhang, `${name} at 360 px overflows`).toBeLessThanOrEqual(0);
  if (hasAllLooks) await page.screenshot({ path: `test-results/looks/${name}-360-figures.png`, fullPage: true });
  if (size) await page.setViewportSize(size);
};

/** By default, each width and each theme is checked once. LOOKS=all checks every combination, and keeps screenshots. */
const hasAllLooks = process.env["LOOKS"] === "all";
type Look = readonly [width: number, theme: "light" | "dark"];
export const usualLooks: readonly Look[] = [
  [360, "light"],
  [1440, "dark"],
];
const looks: readonly Look[] = [
  ...usualLooks,
  ...(hasAllLooks
    ? ([
        [360, "dark"],
        [1440, "light"],
      ] as const)
    : []),
];

export const setLook = async (page: Page, [width, theme]: Look): Promise<void> => {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await settled(page);
};

/** Presses Tab until the element has the focus, at most `maxPresses` times. */
export const tabTo = async (target: Locator, maxPresses: number): Promise<void> => {
  for (let presses = 0; presses < maxPresses; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await target.page().keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
};

/** Both widths and both themes: no overflow, and no axe violations. */
export const expectGoodLooks = async (page: Page, name: string, options: { except?: string } = {}): Promise<void> => {
  const size = page.viewportSize();
  for (const [width, theme] of looks) {
    await setLook(page, [width, theme]);
    // At other positions, the header may cover part of a button, and axe reports the visible part as too small.
    await page.evaluate(() => window.scrollTo(0, 0));
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overhang, `${name} at ${width} px overflows`).toBeLessThanOrEqual(0);
    expect(await brokenFigures(page), `${name} at ${width} px: figures that wrap`).toEqual([]);
    expect(await hiddenCells(page), `${name} at ${width} px: cells that aren't shown`).toEqual([]);
    await expectNoAxeViolations(page, options.except);
    if (hasAllLooks)
      await page.screenshot({ path: `test-results/looks/${name}-${width}-${theme}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: null });
  if (size) await page.setViewportSize(size);
};
