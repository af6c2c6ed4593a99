import fc from "fast-check";
import { expect, test } from "vitest";
import { judgeBatch, planBatch, type SentUsage, usageKey } from "./usage-batch.ts";
import { bodyHash, timeProblem } from "./usage-event.ts";

const now = new Date("2026-11-21T12:00:00.000Z");
const tooOld = new Date("2026-09-01T00:00:00.000Z");

const usage = fc.record({
  source: fc.constantFrom("a", "b"),
  eventId: fc.constantFrom("1", "2", "3"),
  meter: fc.constant("searches"),
  subject: fc.constant(null),
  quantity: fc.constantFrom(1, 2),
  time: fc.constantFrom(now, tooOld),
});
const malformed = fc.constant({ problems: [{ pointer: "/quantity", detail: "must be an integer" }] });
const event: fc.Arbitrary<SentUsage> = fc.oneof(
  { weight: 6, arbitrary: usage.map((one) => ({ usage: one })) },
  malformed,
);
const batches = fc.array(fc.array(event, { maxLength: 8 }), { minLength: 1, maxLength: 4 });

/** Sends a batch. `books` contains the recorded hashes by key, as the database does. */
const send = (books: Map<string, string>, batch: readonly SentUsage[]) => {
  const plan = planBatch(batch, now);
  const known = new Map([...plan.keys.keys()].flatMap((key) => (books.has(key) ? [[key, books.get(key) ?? ""]] : [])));
  const entered = new Set([...plan.candidates.keys()].filter((key) => !books.has(key)));
  for (const key of entered) books.set(key, plan.candidates.get(key)?.hash ?? "");
  return judgeBatch(plan, entered, known);
};

/** The simple model: sends one event at a time. */
const sendSlowly = (books: Map<string, string>, one: SentUsage) => {
  if (!("usage" in one)) return { status: "refused", pointer: "/quantity" };
  const [key, hash] = [usageKey(one.usage), bodyHash(one.usage)];
  if (books.get(key) === hash) return { status: "duplicate", pointer: null };
  if (timeProblem(one.usage.time, now) !== null) return { status: "refused", pointer: "/time" };
  if (books.has(key)) return { status: "conflict", pointer: "/id" };
  books.set(key, hash);
  return { status: "accepted", pointer: null };
};

const statusesOf = (verdicts: ReturnType<typeof send>) =>
  verdicts.map((verdict) => ({
    status: verdict.status,
    pointer: "problems" in verdict ? (verdict.problems[0]?.pointer ?? null) : null,
  }));

test("whatever was recorded before, a batch gets the same verdicts as its events sent one by one", () => {
  fc.assert(
    fc.property(batches, (all) => {
      // An event that was recorded earlier and is too old now.
      const first = { source: "a", eventId: "1", meter: "searches", subject: null, quantity: 1, time: tooOld };
      const [fast, slow] = [
        new Map([[usageKey(first), bodyHash(first)]]),
        new Map([[usageKey(first), bodyHash(first)]]),
      ];
      for (const batch of all) expect(statusesOf(send(fast, batch))).toEqual(batch.map((one) => sendSlowly(slow, one)));
      expect(fast).toEqual(slow);
    }),
    { numRuns: 500 },
  );
});

test("a repeated batch records nothing, and its accepted events become duplicates", () => {
  fc.assert(
    fc.property(batches, (all) => {
      const books = new Map<string, string>();
      const before = all.map((batch) => statusesOf(send(books, batch)));
      const kept = new Map(books);
      const again = all.map((batch) => statusesOf(send(books, batch)));
      expect(books).toEqual(kept);
      const counts = (status: string) => status === "accepted" || status === "duplicate";
      for (const [index, verdicts] of before.entries()) {
        expect(again[index]?.some(({ status }) => status === "accepted")).toBe(false);
        for (const [place, { status }] of verdicts.entries()) {
          if (counts(status)) expect(again[index]?.[place]?.status).toBe("duplicate");
        }
      }
    }),
  );
});
