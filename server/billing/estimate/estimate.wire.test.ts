import { expect, test } from "vitest";
import { fieldErrors } from "../../contract/body/field-errors.ts";
import { estimateRequestSchema } from "./estimate.wire.ts";

const problemsOf = (usage: unknown) => {
  const { error } = estimateRequestSchema.safeParse({ plan: "pro", currency: "EUR", usage });
  return error ? fieldErrors(error, "").map(({ pointer, detail }) => `${pointer} ${detail}`) : [];
};

test.each([
  ['{"__proto__":1}', ["/usage/__proto__"]],
  ['{"tokens_issued":2,"__proto__":[]}', ["/usage/__proto__"]],
])("the usage %s is refused, because zod would silently drop __proto__ from a record", (text, pointers) => {
  const message = "isn’t a known meter: use a built-in meter, or own:NAME for a merchant’s own meter";
  expect(problemsOf(JSON.parse(text))).toEqual(pointers.map((pointer) => `${pointer} ${message}`));
});

test("an estimate without usage is refused", () => expect(problemsOf(undefined)).toEqual(["/usage is missing"]));

const detailsOf = (change: object): string[] => {
  const { error } = estimateRequestSchema.safeParse({ plan: "pro", currency: "EUR", usage: {}, ...change });
  return error ? fieldErrors(error, "").map(({ pointer, detail }) => `${pointer} ${detail}`) : [];
};
const long = "x".repeat(101);
const days = (min: number) => `must be a whole number of days from ${min} to 366`;

test.each<[object, string]>([
  ...["", long, 7, null].map((plan): [object, string] => [
    { plan },
    "/plan must be the id of a plan: 1 to 100 characters",
  ]),
  ...[0, -1, 2 ** 31, 2 ** 60, 1.5, "1", null].map((version): [object, string] => [
    { version },
    "/version must be a version of the plan: a whole number from 1, or left out for the newest version",
  ]),
  [{ plan: undefined }, "/plan is missing"],
  [{ days: {} }, "/days/used is missing"],
  ...[-1, 367, 2 ** 60, Number.NaN, "7"].map((used): [object, string] => [
    { days: { used, of: 366 } },
    `/days/used ${days(0)}`,
  ]),
  ...[0, 367, null].map((of): [object, string] => [{ days: { used: 0, of } }, `/days/of ${days(1)}`]),
  ...["LAUNCH", {}, null, Array.from({ length: 11 }, (_, index) => `C${index}`)].map((coupons): [object, string] => [
    { coupons },
    "/coupons must be a list of at most 10 coupon codes",
  ]),
  ...["", long, 7].map((code): [object, string] => [
    { coupons: ["LAUNCH", code] },
    "/coupons/1 must be the code of a coupon: 1 to 100 characters",
  ]),
  ...["", long, 7, null].map((region): [object, string] => [
    { tax_region: region },
    "/tax_region must be a key of the catalogue’s tax rates: 1 to 100 characters; if left out, there is no tax",
  ]),
])("the message for the invalid estimate %j says what is allowed", (change, problem) => {
  expect(detailsOf(change)[0]).toBe(problem);
});

test.each([[{ usage: [] }], [{ usage: 1 }], [{ currency: 1 }], [{ days: 1 }], [{ usage: { tokens_issued: {} } }]])(
  "the messages for %j are our own, not those of the schema library",
  (change) => {
    const details = detailsOf(change);
    expect(details).toHaveLength(1);
    expect(details[0]).not.toMatch(/Invalid|expected|Too (small|big)/);
  },
);
