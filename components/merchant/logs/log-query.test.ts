import { expect, test } from "vitest";
import { readDateRange } from "../../portal/lists/date-range.ts";
import { isFilteredLog, readLogQuery, toLogFilter } from "./log-query.ts";

test("the filters in the URL are read, and malformed values are ignored", () => {
  const address = { app: "cl_1", method: "POST", status: "4", from: "2026-03-29", to: "2026-03-29" };
  const query = readLogQuery(address);
  expect(toLogFilter(query, readDateRange(address, "Europe/Berlin"))).toMatchObject({
    clientId: "cl_1",
    method: "POST",
    statusClass: 4,
    from: "2026-03-28T23:00:00.000Z",
    // The day of the change to summer time has 23 hours.
    until: "2026-03-29T22:00:00.000Z",
  });
  expect(isFilteredLog(query)).toBe(true);
  expect(isFilteredLog(readLogQuery({ app: "a b", method: "TRACE", status: "9", request: ["x"] }))).toBe(false);
});
