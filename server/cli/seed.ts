import { readVariables, toConfig } from "../config.ts";
import { isFilled } from "../data/is-filled.ts";
import { markFinished, markUnfinished } from "../data/unfinished.ts";

/** Demo data (0-product). Never into a database that holds anything. @returns what became of it. */
const seed = async (): Promise<string> => {
  const variables = readVariables(process.env);
  if (!variables.SEED_DEMO) return "none";
  const { databaseUrl } = toConfig(variables);
  if (await isFilled(databaseUrl)) return "not empty";
  // Loaded by the first start alone.
  const [{ withDeps }, { fillDemo }] = await Promise.all([
    import("./with-deps.ts"),
    import("../../prisma/seed/seed-demo.ts"),
  ]);
  await markUnfinished(databaseUrl, "seeding");
  await withDeps(async (deps) => {
    await fillDemo(deps);
    await markFinished(databaseUrl, "seeding");
    return null;
  });
  return "seeded";
};

process.stdout.write(`${await seed()}\n`);
