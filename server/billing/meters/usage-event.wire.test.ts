import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fieldErrors } from "../../contract/body/field-errors.ts";
import { usageBatchSchema, usageEventSchema } from "./usage-event.wire.ts";

const event = {
  id: "1",
  source: "api",
  meter: "searches",
  subject: "customer-42",
  quantity: 3,
  time: "2026-11-20T09:00:00Z",
};
const errorsOf = (value: unknown) => {
  const read = usageEventSchema.safeParse(value);
  return read.success ? [] : fieldErrors(read.error, "");
};

describe("an invalid usage event is refused, naming the field (docs/spec/billing.md, Usage events)", () => {
  test.each<[string, object, string]>([
    ["no id", { id: undefined }, "/id"],
    ["an empty id", { id: "" }, "/id"],
    ["an id that is a number", { id: 7 }, "/id"],
    ["a source with a line break", { source: "a\nb" }, "/source"],
    ["a subject of 201 characters", { subject: "a".repeat(201) }, "/subject"],
    ["a subject that is null", { subject: null }, "/subject"],
    ["a meter in capitals", { meter: "Searches" }, "/meter"],
    ["the name of a built-in meter", { meter: "successful_charges" }, "/meter"],
    ["a day as its time", { time: "2026-11-20" }, "/time"],
    ["a time without zone", { time: "2026-11-20T09:00:00" }, "/time"],
    ["an invalid day", { time: "2026-02-30T09:00:00Z" }, "/time"],
    ["seconds as its time", { time: 1_795_165_200 }, "/time"],
    ["an unknown member", { "un/known": 1 }, "/un~1known"],
    ["a member named __proto__", JSON.parse('{"__proto__":{"a":1}}'), "/__proto__"],
  ])("%s", (_name, change, pointer) => {
    const sent = Object.defineProperties({ ...event }, Object.getOwnPropertyDescriptors(change));
    expect(errorsOf(sent).map((error) => error.pointer)).toEqual([pointer]);
  });

  test.each([null, [], "text", 1])("refuses %j", (value) => {
    expect(errorsOf(value)).toEqual([{ pointer: "", detail: "must be an object" }]);
  });

  test("a quantity is a JSON number that is an integer from 1 to 999,999,999,999, in any notation", () => {
    const quantity = (text: string) =>
      errorsOf(JSON.parse(`{${JSON.stringify(event).slice(1, -1)},"quantity":${text}}`));
    for (const text of ["1", "1.0", "1e0", "10e-1", "999999999999", "999999999.999e3"])
      expect(quantity(text)).toEqual([]);
    for (const text of ["0", "-0", "-1", "0.5", "1000000000000", "1e400", '"1"', "null", "true", "[1]", "{}"]) {
      expect(quantity(text).map(({ pointer }) => pointer)).toEqual(["/quantity"]);
    }
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger()), (value) => {
        const isOne = Number.isInteger(value) && value >= 1 && value <= 999_999_999_999;
        expect(errorsOf({ ...event, quantity: value }).length === 0).toBe(isOne);
      }),
      { numRuns: 300 },
    );
  });
});

test("a batch has 1 to 1,000 events of any content", () => {
  const sizes = [0, 1, 1_000, 1_001];
  const accepted = sizes.map((length) => usageBatchSchema.safeParse({ events: Array(length).fill(7) }).success);
  expect(accepted).toEqual([false, true, true, false]);
  for (const body of [{}, { events: {} }, { events: [event], more: 1 }, [event], event]) {
    expect(usageBatchSchema.safeParse(body).success).toBe(false);
  }
});
