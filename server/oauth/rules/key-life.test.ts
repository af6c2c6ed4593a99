import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KeyPurpose, keyPurposes } from "../../kernel/key-purpose.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import {
  type KeyFacts,
  type KeyStep,
  planKeys,
  planMissingKeys,
  publishAheadSeconds,
  publishUntil,
  rotationSeconds,
} from "./key-life.ts";

const now = new Date("2026-11-21T12:00:00Z");
const ago = (seconds: number) => addSeconds(now, -seconds);
const maxAge = 300;
const day = 86_400;

const key = (kid: string, state: KeyFacts["state"], facts: Partial<KeyFacts> = {}): KeyFacts => ({
  kid,
  state,
  purpose: "access_token",
  createdAt: ago(40 * day),
  publishedAt: ago(40 * day),
  activatedAt: state === "next" ? null : ago(10 * day),
  rotationRequestedAt: null,
  publishUntil: null,
  ...facts,
});

/** The steps for access token keys. All other purposes have an active and a next key, so they need no steps. */
const plan = (keys: readonly KeyFacts[]): KeyStep[] => {
  const others = keyPurposes
    .filter((purpose) => purpose !== "access_token")
    .flatMap((purpose) => [key(`a-${purpose}`, "active", { purpose }), key(`n-${purpose}`, "next", { purpose })]);
  return planKeys([...others, ...keys], now, maxAge);
};

const createNext: KeyStep = { step: "create", purpose: "access_token", state: "next" };
const promoteNext: KeyStep = { step: "promote", purpose: "access_token", kid: "n", retires: "a" };

describe("the plan for signing keys (docs/spec/oauth.md, Signing keys)", () => {
  it("begins with an active key and a published next key, per purpose", () => {
    expect(planKeys([], now, maxAge)).toEqual(
      keyPurposes.flatMap((purpose) => [
        { step: "create", purpose, state: "active" },
        { step: "create", purpose, state: "next" },
      ]),
    );
  });

  it("needs no change while the active key is younger than 30 days", () => {
    expect(plan([key("a", "active", { activatedAt: ago(rotationSeconds - 1) }), key("n", "next")])).toEqual([]);
  });

  it("rotates after 30 days, and publishes another next key", () => {
    const keys = [key("a", "active", { activatedAt: ago(rotationSeconds) }), key("n", "next")];
    expect(plan(keys)).toEqual([promoteNext, createNext]);
  });

  it.each([0, 1, maxAge, publishAheadSeconds(maxAge) - 1])(
    "never signs with a key that has been published for only %d s: a reader might still lack it",
    (seconds) => {
      const keys = [
        key("a", "active", { rotationRequestedAt: now, activatedAt: ago(90 * day) }),
        key("n", "next", { publishedAt: ago(seconds) }),
      ];
      expect(plan(keys)).toEqual([]);
    },
  );

  it("never signs with a key that isn't known to be published, even if the active key is older than 30 days", () => {
    const keys = [key("a", "active", { rotationRequestedAt: ago(day) }), key("n", "next", { publishedAt: null })];
    expect(plan(keys)).toEqual([]);
  });

  it("rotates on request once the next key has been published for max-age plus the delay of nodes", () => {
    const keys = [
      key("a", "active", { rotationRequestedAt: ago(1) }),
      key("n", "next", { publishedAt: ago(publishAheadSeconds(maxAge)) }),
    ];
    expect(plan(keys)).toEqual([promoteNext, createNext]);
  });

  it("signs with the next key immediately if the active key was revoked, even if readers don't have the next key yet", () => {
    const keys = [key("r", "revoked"), key("n", "next", { publishedAt: null })];
    expect(plan(keys)).toEqual([{ ...promoteNext, retires: null }, createNext]);
  });

  it("creates another next key if the next key was revoked", () => {
    expect(plan([key("a", "active"), key("r", "revoked")])).toEqual([createNext]);
  });

  it("creates an active and a next key if both are missing", () => {
    expect(plan([key("x", "revoked"), key("y", "deleted")])).toEqual([
      { step: "create", purpose: "access_token", state: "active" },
      createNext,
    ]);
  });

  it("deletes a retired key when its last signature expires, not earlier", () => {
    const live = [key("a", "active"), key("n", "next")];
    const retired = (publishUntil: Date) => key("r", "retired", { publishUntil });
    expect(plan([...live, retired(addSeconds(now, 1))])).toEqual([]);
    expect(plan([...live, retired(now)])).toEqual([{ step: "delete", purpose: "access_token", kid: "r" }]);
  });
});

describe("a starting process", () => {
  const missing = (...keys: KeyFacts[]) =>
    planMissingKeys(keys, now, maxAge).filter(({ purpose }) => purpose === "access_token");

  it("creates missing keys, and signs with the next key if no other is active", () => {
    expect(missing()).toEqual([{ step: "create", purpose: "access_token", state: "active" }, createNext]);
    expect(missing(key("a", "active"))).toEqual([createNext]);
    expect(missing(key("n", "next"))).toEqual([{ ...promoteNext, retires: null }, createNext]);
  });

  it("leaves rotations and deletions to the job, even if they are overdue", () => {
    const [active, next] = [key("a", "active", { rotationRequestedAt: ago(day) }), key("n", "next")];
    expect(missing(active, next, key("r", "retired", { publishUntil: ago(day) }))).toEqual([]);
  });
});

describe("a retired key stays published", () => {
  it("for the lifetime of an access token, including one signed by a node that detected the rotation late", () => {
    expect(publishUntil("access_token", now, null)).toEqual(addSeconds(now, 600 + 60));
  });

  it("until the end of the last mandate whose credential it may have signed, but for at least 12 h, because of status lists", () => {
    expect(publishUntil("credential", now, null)).toEqual(addSeconds(now, 12 * 3600 + 60));
    expect(publishUntil("credential", now, addSeconds(now, 400 * day))).toEqual(addSeconds(now, 400 * day));
    expect(publishUntil("credential", now, ago(1))).toEqual(addSeconds(now, 12 * 3600 + 60));
  });

  it("for more than a year if it signed receipts, because they are evidence in disputes", () => {
    expect(publishUntil("receipt", now, addSeconds(now, 999 * day))).toEqual(addSeconds(now, 400 * day + 60));
  });
});

/** Applies the steps to the rows, as the database does. */
const apply = (
  keys: KeyFacts[],
  steps: readonly KeyStep[],
  { at, newKid }: { at: Date; newKid: () => string },
): KeyFacts[] => {
  let rows = keys;
  const set = (kid: string | null, change: Partial<KeyFacts>) => {
    rows = rows.map((row) => (row.kid === kid ? { ...row, ...change } : row));
  };
  for (const step of steps) {
    if (step.step === "create") {
      const { purpose, state } = step;
      rows = [...rows, key(newKid(), state, { purpose, publishedAt: at, activatedAt: state === "active" ? at : null })];
    } else if (step.step === "promote") {
      set(step.retires, { state: "retired", publishUntil: publishUntil(step.purpose, at, null) });
      set(step.kid, { state: "active", activatedAt: at });
    } else set(step.kid, { state: "deleted" });
  }
  return rows;
};

const act = fc.record({
  afterSeconds: fc.integer({ min: 0, max: 40 * day }),
  purpose: fc.constantFrom<KeyPurpose>(...keyPurposes),
  act: fc.constantFrom("wait", "request a rotation", "revoke the active", "revoke the next"),
});

it("after any rotations and revocations at any time, one key signs, one is next, and no key has signed too early", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      let made = 0;
      const newKid = () => `k${++made}`;
      let at = now;
      let rows = apply([], planKeys([], at, maxAge), { at, newKid });
      for (const { afterSeconds, purpose, act } of acts) {
        at = addSeconds(at, afterSeconds);
        const own = (state: string) => rows.find((row) => row.purpose === purpose && row.state === state);
        const target =
          act === "revoke the active" ? own("active") : act === "revoke the next" ? own("next") : undefined;
        rows = rows.map((row) => {
          if (act === "request a rotation" && row === own("active")) return { ...row, rotationRequestedAt: at };
          return row === target ? { ...row, state: "revoked" as const } : row;
        });
        const steps = planKeys(rows, at, maxAge);
        for (const step of steps) {
          if (step.step !== "promote" || step.retires === null) continue;
          const promoted = rows.find(({ kid }) => kid === step.kid);
          expect(Number(at) - Number(promoted?.publishedAt)).toBeGreaterThanOrEqual(publishAheadSeconds(maxAge) * 1000);
        }
        rows = apply(rows, steps, { at, newKid });
        expect(planKeys(rows, at, maxAge)).toEqual([]);
        for (const each of keyPurposes) {
          const states = rows.filter((row) => row.purpose === each).map(({ state }) => state);
          expect(states.filter((state) => state === "active")).toHaveLength(1);
          expect(states.filter((state) => state === "next")).toHaveLength(1);
        }
      }
    }),
    { numRuns: 200 },
  );
});
