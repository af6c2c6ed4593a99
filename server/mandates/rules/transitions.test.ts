import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isFinal,
  type MandateActor,
  mandateActors,
  mandateEvents,
  mandateStates,
  type Standing,
  transition,
} from "./transitions.ts";

/** Every state. `suspended` is listed once for each set of actor kinds that can have suspended the mandate. */
const standings: Readonly<Record<string, Standing>> = {
  ...Object.fromEntries(
    mandateStates.filter((state) => state !== "suspended").map((state) => [state, { state, suspendedBy: [] }]),
  ),
  "suspended(payer)": { state: "suspended", suspendedBy: ["payer"] },
  "suspended(operator)": { state: "suspended", suspendedBy: ["operator"] },
  "suspended(operator,payer)": { state: "suspended", suspendedBy: ["operator", "payer"] },
};

const nameOf = ({ state, suspendedBy }: Standing): string =>
  suspendedBy.length > 0 ? `${state}(${suspendedBy.join()})` : state;

/** Copied by hand from docs/spec/payments.md, Mandate states; everything else must be refused. */
const allowed: Readonly<Record<string, string>> = {
  "pending approve payer": "active",
  "pending reject payer": "rejected",
  "pending time_out system": "rejected",
  "active suspend payer": "suspended(payer)",
  "active suspend operator": "suspended(operator)",
  "active narrow payer": "active",
  "active replace payer": "active",
  "active revoke payer": "revoked",
  "active revoke client": "revoked",
  "active revoke operator": "revoked",
  "active expire system": "expired",
  "active consume system": "consumed",
  "suspended(payer) suspend operator": "suspended(operator,payer)",
  "suspended(operator) suspend payer": "suspended(operator,payer)",
  "suspended(payer) resume payer": "active",
  "suspended(operator) resume operator": "active",
  "suspended(operator,payer) resume payer": "suspended(operator)",
  "suspended(operator,payer) resume operator": "suspended(payer)",
  ...Object.fromEntries(
    ["suspended(payer)", "suspended(operator)", "suspended(operator,payer)"].flatMap((from) => [
      [`${from} narrow payer`, from],
      [`${from} replace payer`, from],
      [`${from} revoke payer`, "revoked"],
      [`${from} revoke client`, "revoked"],
      [`${from} revoke operator`, "revoked"],
      [`${from} expire system`, "expired"],
      [`${from} consume system`, "consumed"],
    ]),
  ),
};

describe("the transition function is total over (state, event, actor) (docs/spec/payments.md, Mandate states)", () => {
  const rows = Object.keys(standings).flatMap((from) =>
    mandateEvents.flatMap((event) => mandateActors.map((actor) => [from, event, actor] as const)),
  );
  const resultOf = (from: string, event: (typeof mandateEvents)[number], actor: MandateActor) => {
    const standing = standings[from];
    if (!standing) throw new Error(`no standing ${from}`);
    return transition(standing, event, actor);
  };

  test.each(rows)("%s, %s by %s", (from, event, actor) => {
    const result = resultOf(from, event, actor);
    expect(result.ok ? nameOf(result.next) : undefined).toBe(allowed[`${from} ${event} ${actor}`]);
  });

  test("the table has no unknown rows", () => {
    const known = new Set(rows.map((row) => row.join(" ")));
    expect(Object.keys(allowed).filter((row) => !known.has(row))).toEqual([]);
  });

  test("only rejected, revoked, expired and consumed are final", () => {
    const leavesNowhere = mandateStates.filter(
      (state) => !Object.keys(allowed).some((row) => row.startsWith(`${state} `) || row.startsWith(`${state}(`)),
    );
    expect(leavesNowhere).toEqual(mandateStates.filter(isFinal));
  });
});

describe("each kind of actor lifts only its own suspension (docs/spec/payments.md, Mandate states)", () => {
  test("refuses a second suspension by the same kind of actor, and refuses to lift a suspension by another kind", () => {
    const byPayer: Standing = { state: "suspended", suspendedBy: ["payer"] };
    expect(transition(byPayer, "suspend", "payer")).toEqual({ ok: false, code: "already_suspended" });
    expect(transition(byPayer, "resume", "operator")).toEqual({ ok: false, code: "not_suspended_by_you" });
  });

  test("the mandate is suspended while any suspension is left, and active after the last one is lifted, in any order", () => {
    const act = fc.record({
      event: fc.constantFrom("suspend" as const, "resume" as const),
      actor: fc.constantFrom<MandateActor>("payer", "operator"),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
        const standing = new Set<string>();
        let mandate: Standing = { state: "active", suspendedBy: [] };
        for (const { event, actor } of acts) {
          const result = transition(mandate, event, actor);
          expect(result.ok).toBe(standing.has(actor) === (event === "resume"));
          if (event === "suspend") standing.add(actor);
          else standing.delete(actor);
          if (result.ok) mandate = result.next;
          expect(mandate).toEqual({
            state: standing.size > 0 ? "suspended" : "active",
            suspendedBy: [...standing].sort(),
          });
        }
      }),
    );
  });
});
