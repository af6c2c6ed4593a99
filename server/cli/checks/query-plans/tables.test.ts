import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { growingTables, smallTables } from "./tables.fixture.ts";

const page = readFileSync("docs/runbooks/distribution-keys.md", "utf8");

/** The tables in the item of the page that begins with this key. */
const listed = (key: string): string[] => {
  const [, item = ""] = new RegExp(`^- \\*\\*${key}\\*\\*:((?:.|\\n  )+)`, "m").exec(page) ?? [];
  return [...item.matchAll(/`(\w+)`/g)].map(([, table = ""]) => table);
};

test.each(["merchant", "mandate", "payer", "client", "time"])(
  "the page lists the tables that belong to a %s",
  (key) => {
    const tables = Object.entries(growingTables).filter(([, { owner }]) => owner === key);
    expect(listed(key)).toEqual(tables.map(([table]) => table).sort());
  },
);

test("the page lists the small tables", () => {
  expect(listed("copied to every machine")).toEqual(Object.keys(smallTables).filter((table) => !/^pg_/.test(table)));
});
