import { addSeconds } from "../kernel/clock.ts";
import { probeReadiness } from "./probe-readiness.ts";
import type { Board, ComponentChange } from "./rules/board.ts";
import type { ComponentKey } from "./rules/components.ts";
import { freshMilliseconds } from "./rules/course.ts";
import type { StatusDeps } from "./runtime.ts";

type FreshDeps = Pick<StatusDeps, "clock" | "board" | "productionUrl" | "sandboxUrl">;

/** The board; what no probe has looked at lately is looked at for this answer. */
export const freshBoard = async (deps: FreshDeps): Promise<Board> => {
  const board = deps.board();
  const { productionUrl, sandboxUrl } = deps;
  const looked = await Promise.all([
    lookAt(deps, board, { component: "authorization_server", baseUrl: productionUrl }),
    sandboxUrl === null ? null : lookAt(deps, board, { component: "sandbox", baseUrl: sandboxUrl }),
  ]);
  const found = looked.filter((change) => change !== null);
  return {
    ...board,
    changes: [...board.changes, ...found],
    heartbeats: [
      ...board.heartbeats.filter(({ component }) => found.every((change) => change.component !== component)),
      ...found.map(({ component, at }) => ({ component, at })),
    ],
  };
};

const lookAt = async (
  { clock }: FreshDeps,
  board: Board,
  { component, baseUrl }: { component: ComponentKey; baseUrl: string },
): Promise<ComponentChange | null> => {
  const heartbeat = board.heartbeats.find((one) => one.component === component);
  if (heartbeat && clock.now().getTime() - heartbeat.at.getTime() <= freshMilliseconds) return null;
  const state = await probeReadiness(baseUrl);
  // Windows are half-open: what holds now began before.
  const at = addSeconds(clock.now(), -0.001);
  return { ...{ id: "", component, source: "probe", subject: "", state, reason: "", actor: "" }, at };
};
