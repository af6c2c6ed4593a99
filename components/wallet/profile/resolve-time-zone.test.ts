import { expect, test } from "vitest";
import { resolveTimeZone } from "./resolve-time-zone.ts";

const zones = ["America/New_York", "Europe/Berlin", "America/Louisville", "America/Kentucky/Louisville", "UTC"];

test.each([
  ["Europe/Berlin", "Europe/Berlin"],
  ["berlin", "Europe/Berlin"],
  ["new york", "America/New_York"],
  ["utc", "UTC"],
  // Two time zones have this city, so the person must choose.
  ["Louisville", "Louisville"],
  ["Atlantis", "Atlantis"],
])("a person who enters %s means the time zone %s", (text, zone) => {
  expect(resolveTimeZone(text, zones)).toBe(zone);
});
