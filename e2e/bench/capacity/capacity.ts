import os from "node:os";
import { StartError, step } from "#server/cli/supervisor/steps.ts";
import { type MeasuredService, startMeasuredService, untilDelivered, vacuum } from "../cost/measured-service.ts";
import { warmUpSeconds } from "../measure.ts";
import { untilStopped } from "../servers/until-stopped.ts";
import { type Act, makeWorld, type World } from "./acts.ts";
import { checkSizes } from "./check-sizes.ts";
import { countRoundTrips } from "./count-round-trips.ts";
import { measureActs, measureAlone, measureIdle, runAct } from "./measure-acts.ts";
import { deviationOf, printCapacity, tolerance } from "./print-capacity.ts";

const webProcesses = Math.min(os.availableParallelism(), 8);

/**
 * Measures what each act costs, derives the capacity of a primary, and checks the formula on one and on two cores
 * (docs/capacity.md).
 * @throws StartError when the formula and a measurement disagree.
 */
export const runCapacity = (): Promise<void> =>
  untilStopped(async (begin) => {
    const service = await startMeasuredService(begin, webProcesses);
    const world = await step("clients", () => makeWorld(service));
    await step("warm-up", () => warmUp(service, world));
    const idle = await step("idle service", () => measureIdle(service));
    const trips = await step("round trips", () => countRoundTrips(begin, service, world));
    const figures = await measureActs(service, world, idle);
    const alone = await step("one at a time", () => measureAlone(service, world, idle));
    const checked = await checkSizes(service, world, { costs: figures, idle });
    printCapacity({ figures, alone, trips, checked, idle });
    const wrong = checked.filter((one) => Math.abs(deviationOf(one)) > tolerance);
    if (wrong.length > 0) throw new StartError(`✗ the formula is wrong: ${wrong.map(({ title }) => title).join("; ")}`);
  });

/** Runs each act until V8 has compiled its code, see `warmUpSeconds`. */
const warmUp = async (service: MeasuredService, { acts, announced }: World): Promise<void> => {
  for (const act of [...acts, announced]) {
    const until = performance.now() + (warmUpSeconds * 1000 * webProcesses) / acts.length;
    while (performance.now() < until) await runAct(service, act, roundOf(act));
  }
  await untilDelivered(service.product);
  await vacuum(service);
};

const roundOf = (act: Act): number => Math.ceil(act.requests / 8);
