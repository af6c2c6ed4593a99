import type { Config } from "../config.ts";
import { createCircuitBreaker, withCircuitBreaker } from "./circuit-breaker.ts";
import { type Processor, type Processors, UnconfiguredProcessor } from "./port.ts";
import { createSimulatorProcessor } from "./simulator-processor.ts";

/** The processors that this process's configuration names, one adapter each with its own connections. */
export const createProcessors = (config: Pick<Config, "simulatorUrl" | "simulatorKey">): Processors => {
  const byName = new Map<string, Processor>();
  if (config.simulatorUrl !== null && config.simulatorKey !== null) {
    const simulator = createSimulatorProcessor({ url: config.simulatorUrl, key: config.simulatorKey });
    byName.set(
      "simulator",
      withCircuitBreaker(
        simulator,
        createCircuitBreaker(() => performance.now()),
      ),
    );
  }
  return {
    get(name) {
      const processor = byName.get(name);
      if (!processor) throw new UnconfiguredProcessor(name);
      return processor;
    },
  };
};
