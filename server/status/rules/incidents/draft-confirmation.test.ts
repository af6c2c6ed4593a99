import { describe, expect, test } from "vitest";
import { boardOf } from "../board.fixture.ts";
import type { ComponentState } from "../board.ts";
import type { ComponentKey } from "../components.ts";
import { isConfirmable } from "./draft-confirmation.ts";

const now = new Date(Date.UTC(2026, 10, 21, 12));
const boardWith = (component: ComponentKey, state: ComponentState, readSecondsAgo = 5) =>
  boardOf({
    readAt: new Date(now.getTime() - readSecondsAgo * 1000),
    changes: [
      { id: "cch_1", component, state, source: "probe", subject: "", actor: "probe", reason: "Health", at: now },
    ],
  });

describe("a draft waits for an operator only while an operator could confirm it", () => {
  test.each([
    ["sandbox", "major_outage", 5, true],
    ["sandbox", "major_outage", 30, true],
    ["sandbox", "major_outage", 31, false],
    ["authorization_server", "partial_outage", 5, true],
    ["authorization_server", "major_outage", 5, false],
    ["wallet_portal", "major_outage", 5, false],
  ] as const)("%s in %s, read from the database %i s ago: %s", (component, state, seconds, expected) =>
    expect(isConfirmable(boardWith(component, state, seconds), now)).toBe(expected),
  );
});
