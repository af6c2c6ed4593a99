import { randomBytes } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { expect, query } from "../fixtures.ts";

export type NewPerson = { name: string; email: string; password: string };

export const makeNewPerson = (): NewPerson => ({
  name: "Grace Hopper",
  email: `new-${randomBytes(8).toString("hex")}@example.test`,
  password: "copper lantern 42",
});

/** The newest mail to this address, from the outbox. */
export const readSignUpMail = async (recipient: string): Promise<{ kind: string; code: string; link: string }> => {
  const text = "SELECT kind, text FROM mail WHERE recipient = $1 ORDER BY created_at DESC LIMIT 1";
  let mail: { kind: string; text: string } | undefined;
  await expect
    .poll(async () => {
      mail = (await query((client) => client.query(text, [recipient]))).rows[0];
      return mail !== undefined;
    })
    .toBe(true);
  const code =
    /\b(\d{3})\s(\d{3})\b/
      .exec(mail?.text ?? "")
      ?.slice(1)
      .join("") ?? "";
  const link = /https?:\/\/\S+\/sign-up\/confirm\?token=[\w-]+/.exec(mail?.text ?? "")?.[0] ?? "";
  return { kind: mail?.kind ?? "", code, link };
};

/** Fills in the form. The method is chosen before the form is sent. */
export const fillIn = async (page: Page, person: NewPerson): Promise<void> => {
  await page.getByLabel("Name").fill(person.name);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password", { exact: true }).and(page.locator("input[type=password]")).fill(person.password);
};

/** Counts each click and each field that a person fills in. */
export const countInteractions = () => {
  let count = 0;
  return {
    click: async (target: Locator) => {
      count += 1;
      await target.click();
    },
    fill: async (target: Locator, text: string) => {
      count += 1;
      await target.fill(text);
    },
    total: () => count,
  };
};
