import { describe, expect, test } from "vitest";
import {
  type MandateActor,
  mandateActors,
  mandateEvents,
  mandateStates,
  type Standing,
  transition,
} from "./transitions.ts";

const standing = (state: Standing["state"]): Standing => ({
  state,
  suspendedBy: state === "suspended" ? ["payer"] : [],
});

/** Written out by hand from 2-payments; everything else must be refused. */
const allowed: Readonly<Record<string, string>> = {
  "pending approve payer": "active",
  "pending reject payer": "rejected",
  "pending time_out system": "rejected",
  "active suspend payer": "suspended payer",
  "active suspend operator": "suspended operator",
  "active narrow payer": "active",
  "active replace payer": "active",
  "active revoke payer": "revoked",
  "active revoke client": "revoked",
  "active revoke operator": "revoked",
  "active expire system": "expired",
  "active consume system": "consumed",
  "suspended suspend operator": "suspended operator,payer",
  "suspended resume payer": "active",
  "suspended narrow payer": "suspended payer",
  "suspended replace payer": "suspended payer",
  "suspended revoke payer": "revoked",
  "suspended revoke client": "revoked",
  "suspended revoke operator": "revoked",
  "suspended expire system": "expired",
  "suspended consume system": "consumed",
};

describe("mandate transitions (2-payments, states)", () => {
  test.each(
    mandateStates.flatMap((state) =>
      mandateEvents.flatMap((event) => mandateActors.map((actor) => [state, event, actor] as const)),
    ),
  )("%s, %s by %s", (state, event, actor) => {
    const result = transition(standing(state), event, actor);
    const told = result.ok
      ? [result.next.state, result.next.suspendedBy.join(",")].filter(Boolean).join(" ")
      : undefined;
    expect(told).toBe(allowed[`${state} ${event} ${actor}`]);
  });

  test("each actor kind lifts only its own suspension; active returns with the last", () => {
    const both: Standing = { state: "suspended", suspendedBy: ["operator", "payer"] };
    const lift = (from: Standing, actor: MandateActor) => transition(from, "resume", actor);
    const once = lift(both, "payer");
    expect(once).toEqual({ ok: true, next: { state: "suspended", suspendedBy: ["operator"] } });
    expect(once.ok && lift(once.next, "payer")).toEqual({ ok: false, code: "not_suspended_by_you" });
    expect(once.ok && lift(once.next, "operator")).toEqual({ ok: true, next: { state: "active", suspendedBy: [] } });
  });

  test("suspending twice by the same kind is refused", () => {
    expect(transition(standing("suspended"), "suspend", "payer")).toEqual({ ok: false, code: "already_suspended" });
  });
});
