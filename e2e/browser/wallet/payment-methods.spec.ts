import { expect, test } from "../fixtures.ts";

test("a payer adds a test card, names it, makes it the default and removes it (docs/spec/portal.md, Payment methods)", async ({
  signedIn: page,
}) => {
  await page.goto("/wallet/payment-methods");
  await page.getByRole("button", { name: "Add a test card" }).first().click();
  await page.getByRole("radio", { name: /^Insufficient funds/ }).check();
  await page.getByRole("button", { name: "Add card" }).click();
  await expect(page.getByRole("heading", { name: "Visa ending in 9995" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.getByRole("button", { name: "Rename: Visa ending in 9995" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Household");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Household" })).toBeVisible();
  await expect(page.getByText("Visa ending in 9995 ·")).toBeVisible();

  await page.getByRole("button", { name: "Make default: Household" }).click();
  await expect(page.getByRole("heading", { name: "Household Default" })).toBeVisible();

  await page.getByRole("button", { name: "Remove: Household" }).click();
  await page.getByRole("button", { name: "Remove it" }).click();
  await expect(page.getByRole("heading", { name: "Household" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: /Default$/ })).toHaveCount(1);
});
