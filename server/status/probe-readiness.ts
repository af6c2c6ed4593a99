/** `unknown` where nothing answered: a silent service and a broken line look alike from here. */
export type ProbedState = "operational" | "major_outage" | "unknown";

const timeoutMilliseconds = 3_000;

/** Asks one service for its /readyz, now. */
export const probeReadiness = async (baseUrl: string): Promise<ProbedState> => {
  try {
    const response = await fetch(`${baseUrl}/readyz`, {
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    await response.body?.cancel();
    return response.ok ? "operational" : "major_outage";
  } catch {
    return "unknown";
  }
};
