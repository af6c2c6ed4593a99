import { parseArgs } from "node:util";
import { expect, test } from "vitest";
import { joinDashedValues } from "./dashed-values.ts";

const options = { kid: { type: "string" }, reason: { type: "string" }, sandbox: { type: "boolean" } } as const;
const read = (...sent: string[]) =>
  parseArgs({ args: joinDashedValues(sent, ["kid"], options), allowPositionals: true, options });

test.each(["-oLbK6cfmiDTQ4GM67pgfK", "--Lb", "a-b", "-"])("accepts %s as a kid", (kid) => {
  const { values, positionals } = read("revoke", "--reason", "lost", "--kid", kid, "--sandbox");
  expect({ ...values }).toEqual({ kid, reason: "lost", sandbox: true });
  expect(positionals).toEqual(["revoke"]);
  expect(read(`--kid=${kid}`).values.kid).toBe(kid);
});

test.each([[["--kid", "--sandbox"]], [["--kid"]], [["--kid", "--reason=x"]], [["--reason", "-x"]]])(
  "reports %j as an option without its value",
  (sent) => {
    expect(() => read(...sent)).toThrow(/argument/);
  },
);
