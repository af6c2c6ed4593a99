import type { MailKind } from "#server/platform/mail/rules/mail-content.ts";
import { renderMail } from "#server/platform/mail/rules/render-mail.ts";
import { mailSamples } from "#server/platform/mail/samples/mail-samples.ts";
import { expectNoAxeViolations } from "../axe.ts";
import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { test } from "./operator-fixtures.ts";

const isKept = process.env["LOOKS"] === "all";
const locales = ["en-GB", "de-DE"];
const kinds = Object.keys(mailSamples({ locale: "en-GB", timeZone: "UTC" })) as MailKind[];

for (const locale of locales) {
  test(`every e-mail fits 600 px in the light theme and 360 px in the dark one (${locale}; docs/spec/operations.md, E-mail)`, async ({
    page,
  }) => {
    const samples = mailSamples({ locale, timeZone: "Europe/Berlin" });
    for (const kind of kinds.filter((each) => locale === "en-GB" || "reader" in samples[each])) {
      const mail = renderMail(samples[kind], { environment: "sandbox", choiceUrl: "https://pay.example/wallet" });
      await page.setContent(mail.html);
      for (const [width, colorScheme] of [
        [600, "light"],
        [360, "dark"],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overhang, `${kind} at ${width} px overflows`).toBeLessThanOrEqual(0);
        await expectNoAxeViolations(page);
        if (isKept)
          await page.screenshot({ path: `test-results/looks/mail-${kind}-${locale}-${width}.png`, fullPage: true });
      }
    }
  });
}

test("a viewer can preview e-mails, but can't open the outbox (docs/spec/portal.md, Operator console)", async ({
  console: page,
  operator,
}) => {
  await query(async (client) => {
    await client.query("UPDATE account SET operator_role = 'viewer' WHERE id = $1", [operator.id]);
  });
  await page.goto("/operator/mails?kind=merchant_suspended");
  await expect(page.getByRole("heading", { name: "E-mail preview", level: 1 })).toBeVisible();
  await expect(page.locator("pre")).toContainText("Paygrant has suspended this merchant.");
  expect((await page.goto("/operator/outbox"))?.status()).toBe(404);
});

test("an operator selects kind, language, environment, theme and width of a preview", async ({ console: page }) => {
  await page.goto("/operator/mails");
  await expect(page).toHaveTitle(/E-mail preview/);
  await page.getByLabel("Kind").selectOption("limit_near");
  await page.getByLabel("Language").selectOption("de");
  await page.getByLabel("Environment").selectOption("sandbox");
  await page.getByRole("combobox", { name: "Theme" }).selectOption("dark");
  await page.getByLabel("Width").selectOption("360");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(/kind=limit_near&language=de&environment=sandbox&theme=dark&width=360/);
  const frame = page.frameLocator("iframe");
  await expect(
    frame.getByRole("heading", { name: "[Sandbox] Grocer Bot hat ein Limit fast ausgeschöpft" }),
  ).toBeVisible();
  expect(await frame.locator(".card").evaluate((card) => getComputedStyle(card).backgroundColor)).toBe(
    "rgb(22, 25, 31)",
  );
  await expect(page.locator("pre")).toContainText("Pro Monat: 172,50");
  await expectGoodLooks(page, "mail-preview", { except: "iframe" });
});
