import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findOrInstallPrograms } from "#server/cli/ha/programs.ts";
import { StartError } from "#server/cli/supervisor/steps.ts";
import { faults } from "./cluster-faults.ts";
import { runRound } from "./round.ts";
import { openWorld, type World } from "./world.ts";

/** The short form of `npm run ha -- drill`. Tests of other files run at the same time, so the load is low. */
const rates = { tokens: 10, charges: 2 };
const chosen = ["kill the primary", "switchover"];

const missing = await findOrInstallPrograms().then(
  () => null,
  (error: unknown) => {
    if (error instanceof StartError) return error.message;
    throw error;
  },
);

describe.skipIf(missing !== null)(missing ? `left out: ${missing}` : "three database nodes with Patroni", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ hasDisks: false });
  });
  afterAll(() => world?.stop(), 120_000);

  test.each(faults.filter(({ name }) => chosen.includes(name)))(
    "$name: nothing acknowledged is lost or done twice, and no request is answered with 500",
    async (fault) => {
      expect((await runRound(world, fault, { rates, isShared: true })).problems).toEqual([]);
    },
  );
});
