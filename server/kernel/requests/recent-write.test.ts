import { expect, test } from "vitest";
import { hasRecentWrite, recentWriteCookie } from "./recent-write.ts";

test("finds its own cookie among others", () => {
  const [pair = ""] = recentWriteCookie.split(";");
  expect(hasRecentWrite(`theme=dark; ${pair}; merchant=mer_1`)).toBe(true);
});

test.each([null, "", "recent_write=0", "not_recent_write=1"])("%o is no recent write", (header) => {
  expect(hasRecentWrite(header)).toBe(false);
});
