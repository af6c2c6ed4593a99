import type { Board } from "../board.ts";
import { probedState } from "../probes/decide-change.ts";

/** Read every few seconds: what is older comes from a database that is away. */
const readMilliseconds = 30_000;

/** Whether the database was there a moment ago. Read in the future says nothing: the clock stepped back. */
export const isBoardFresh = ({ readAt }: Pick<Board, "readAt">, now: Date): boolean =>
  Math.abs(now.getTime() - readAt.getTime()) <= readMilliseconds;

/** Whether an operator could see a draft and confirm it: both need the database, and the processes that serve the console. */
export const isConfirmable = (board: Board, now: Date): boolean =>
  isBoardFresh(board, now) &&
  (["authorization_server", "wallet_portal"] as const).every((key) => probedState(board, key) !== "major_outage");
