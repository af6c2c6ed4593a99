import type { Config } from "../config.ts";
import { type Processor, type Processors, UnconfiguredProcessor } from "./port.ts";
import { createSimulatorProcessor } from "./simulator-processor.ts";

/** The processors that this process's configuration names, one adapter each with its own connections. */
export const createProcessors = (config: Pick<Config, "simulatorUrl" | "simulatorKey">): Processors => {
  const byName = new Map<string, Processor>();
  if (config.simulatorUrl !== null && config.simulatorKey !== null) {
    byName.set("simulator", createSimulatorProcessor({ url: config.simulatorUrl, key: config.simulatorKey }));
  }
  return {
    get(name) {
      const processor = byName.get(name);
      if (!processor) throw new UnconfiguredProcessor(name);
      return processor;
    },
  };
};
