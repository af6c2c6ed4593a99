import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

// docs/spec/portal.md, Pages: a title names the object and the portal, and no two pages have the same title.

const root = path.resolve(import.meta.dirname, "../../..");
const pages = readdirSync(path.join(root, "app"), { recursive: true, encoding: "utf8" })
  // Pages that aren't found have the content and the title of their part's not-found.tsx.
  .filter((file) => file.endsWith("page.tsx") && !file.includes("[...") && !file.endsWith("/not-found/page.tsx"))
  .map((file) => ({ file, text: readFileSync(path.join(root, "app", file), "utf8") }));

const notFoundFiles = readdirSync(path.join(root, "app"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith("/not-found.tsx"),
);

test.each(notFoundFiles)("%s has a title, and its page exports it", (file) => {
  const [, name] =
    /export const (metadata|generateMetadata)\b/.exec(readFileSync(path.join(root, "app", file), "utf8")) ?? [];
  const page = readFileSync(path.join(root, "app", path.dirname(file), "not-found/page.tsx"), "utf8");
  expect(page).toContain(`export { default, ${name} }`);
});

/** Pages that only redirect have no title. */
const shown = pages.filter(
  ({ text }) => /export const (metadata|generateMetadata)\b/.test(text) || !/redirect\(/.test(text),
);

const titleOf = (text: string): string | null =>
  /metadata: Metadata = \{[^;]*?(?:title|absolute): "([^"]+)"/.exec(text)?.[1] ?? null;

/** The part of the product whose name ends the title. */
const partOf = (file: string): string =>
  /^\((?:portal|public)\)\/(wallet|merchant|operator|status)\b/.exec(file)?.[1] ?? "";

test("there are pages to check", () => expect(shown.length).toBeGreaterThan(50));

/** Pages that show a `not-found.tsx` have its title. */
const ownTitle = /export const (metadata: Metadata = \{[^;]*?title|generateMetadata)/;
const otherTitle = /export \{ default, (metadata|generateMetadata) \} from/;

test.each(shown)("$file has a title", ({ text }) => {
  expect(ownTitle.test(text) || otherTitle.test(text)).toBe(true);
});

// The layout adds the name, except to an absolute title.
test.each(shown)("$file doesn't repeat the name of the service in its title", ({ text }) => {
  expect(text.replaceAll(/absolute: .*/g, "")).not.toMatch(/ · Paygrant/);
});

test("no two pages of one part have the same title", () => {
  const seen = new Map<string, string[]>();
  for (const { file, text } of shown) {
    const title = titleOf(text);
    if (title === null) continue;
    const key = `${title} · ${partOf(file)}`;
    seen.set(key, [...(seen.get(key) ?? []), file]);
  }
  expect([...seen].filter(([, files]) => files.length > 1)).toEqual([]);
});

// The page of an invitation is exempt: its URL is a secret, and people who may not see the object can open the page.
test.each(shown.filter(({ file }) => file.includes("[") && !file.includes("[token]")))(
  "$file names its object in the title",
  ({ text }) => {
    expect(text).toMatch(/export const generateMetadata/);
  },
);

test.each(["wallet", "merchant", "operator"])("titles of the %s name the portal", (portal) => {
  const layout = readFileSync(path.join(root, `app/(portal)/${portal}/layout.tsx`), "utf8");
  expect(layout).toMatch(/template: "%s · (Wallet|Merchant|Operator) · Paygrant"/);
});
