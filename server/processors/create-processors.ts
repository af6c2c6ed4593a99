import type { Config } from "../deps/config.ts";
import { type Processor, type Processors, UnconfiguredProcessor } from "../deps/processor-port.ts";
import { createCircuitBreaker, withCircuitBreaker } from "./circuit-breaker.ts";
import { createSimulatorProcessor } from "./simulator/simulator-processor.ts";
import { createStripeProcessor } from "./stripe/stripe-processor.ts";

const withBreaker = (processor: Processor): Processor =>
  withCircuitBreaker(
    processor,
    createCircuitBreaker(() => performance.now()),
  );

/** The configured processors, with one adapter and its own connections each. */
export const createProcessors = (
  config: Pick<Config, "simulatorUrl" | "simulatorKey" | "stripe" | "walletUrl">,
): Processors => {
  const byName = new Map<string, Processor>();
  if (config.simulatorUrl !== null && config.simulatorKey !== null) {
    const simulator = createSimulatorProcessor({ url: config.simulatorUrl, key: config.simulatorKey });
    byName.set("simulator", withBreaker(simulator));
  }
  if (config.stripe) {
    const stripe = createStripeProcessor({ ...config.stripe, returnUrl: `${config.walletUrl}/wallet` });
    byName.set("stripe", withBreaker(stripe));
  }
  return {
    get(name) {
      const processor = byName.get(name);
      if (!processor) throw new UnconfiguredProcessor(name);
      return processor;
    },
  };
};
