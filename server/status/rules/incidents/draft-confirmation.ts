import type { Board } from "../board.ts";
import { probedState } from "../probes/decide-change.ts";

/** The board is read every few seconds. An older board means that the database is unavailable. */
const readMilliseconds = 30_000;

/** Whether the database was reachable recently. A time far in the future means that the clock stepped back. */
export const isBoardFresh = ({ readAt }: Pick<Board, "readAt">, now: Date): boolean =>
  Math.abs(now.getTime() - readAt.getTime()) <= readMilliseconds;

/**
 * Whether an operator can see and confirm a draft: this needs the database and the processes that serve the console.
 */
export const isConfirmable = (board: Board, now: Date): boolean =>
  isBoardFresh(board, now) &&
  (["authorization_server", "wallet_portal"] as const).every((key) => probedState(board, key) !== "major_outage");
