import { expect, it } from "vitest";
import { listMigrationNames } from "./migration-files.ts";

const timestamp = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_[a-z0-9_]+$/;

it("names every migration by UTC time, so that names sort by age", async () => {
  for (const name of await listMigrationNames()) {
    const time = new Date(name.replace(timestamp, "$1-$2-$3T$4:$5:$6.000Z"));
    // A date such as February 30 would be changed to another date.
    const written = Number.isNaN(time.getTime()) ? "" : time.toISOString().replace(/\D/g, "").slice(0, 14);
    expect([name, written]).toEqual([name, name.slice(0, 14)]);
  }
});
