import { expect, test } from "../fixtures.ts";

test("the live button of /docs/button completes a consent (docs/spec/assets.md, The consent script)", async ({
  signedIn: page,
}) => {
  await page.goto("/docs/button");
  const button = page.getByRole("button", { name: "Continue with Paygrant" });
  await expect(button).toBeDisabled();
  await page.getByRole("button", { name: "Create a test request" }).click();
  await expect(button).toBeEnabled();
  const opens = page.waitForEvent("popup");
  await button.click();
  const popup = await opens;
  await popup.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText('"status": "approved"')).toBeVisible();
});

test("/docs/button shows the integrity value that the manifest lists for the script", async ({ page }) => {
  const { files } = await (await page.request.get("/cdn/manifest.json")).json();
  const { integrity, path } = files.find(({ name }: { name: string }) => name === "paygrant.js");
  await page.goto("/docs/button");
  const code = page.getByRole("region", { name: "Code of Script" });
  await expect(code).toContainText(integrity);
  await expect(code).toContainText(path);
  const pictures = page.locator("figure img");
  await expect(pictures).toHaveCount(8);
  await pictures.last().scrollIntoViewIfNeeded();
  const widths = () => pictures.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
  await expect.poll(async () => Math.min(...(await widths()))).toBeGreaterThan(0);
});
