import type { ParticipantRow } from "../../data/directory/participants.ts";
import { DomainError } from "../../kernel/errors.ts";

/** @throws DomainError participant_suspended. */
export const refuseSuspendedServer = ({ suspendedAt }: Pick<ParticipantRow, "suspendedAt">): void => {
  if (suspendedAt === null) return;
  throw new DomainError("conflict", {
    code: "participant_suspended",
    message: "The entry is suspended. Lift the suspension first.",
  });
};
