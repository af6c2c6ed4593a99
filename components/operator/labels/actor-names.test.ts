import { expect, test } from "vitest";
import { actorName } from "./actor-names.ts";

test.each([
  ["system", "billing_run", "the billing run"],
  ["system", "finish-reset", "the sandbox reset"],
  ["system", "billing", "the billing engine"],
  ["operator", "acc_1", "an operator"],
  ["client", "cli_1", "client cli_1"],
])("the actor of kind %s with the ID %s is shown as %j, without internal names", (actorKind, actorId, name) => {
  expect(actorName({ actorKind, actorId })).toBe(name);
});
