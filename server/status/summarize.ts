import { type ProbedState, probeReadiness } from "./probe-readiness.ts";
import type { StatusDeps } from "./runtime.ts";

export type StatusSummary = {
  checkedAt: Date;
  components: { id: "authorization_server" | "sandbox"; name: string; state: ProbedState }[];
};

/** The present state of each service, probed for this answer. */
export const summarizeStatus = async (
  deps: Pick<StatusDeps, "clock" | "productionUrl" | "sandboxUrl">,
): Promise<StatusSummary> => {
  const [production, sandbox] = await Promise.all([
    probeReadiness(deps.productionUrl),
    deps.sandboxUrl === null ? ("unknown" as const) : probeReadiness(deps.sandboxUrl),
  ]);
  return {
    checkedAt: deps.clock.now(),
    components: [
      { id: "authorization_server", name: "Authorization server", state: production },
      { id: "sandbox", name: "Sandbox authorization server", state: sandbox },
    ],
  };
};
