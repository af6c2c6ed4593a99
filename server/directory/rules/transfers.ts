import { DomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";

const daySeconds = 24 * 3600;

export const transferExpiry = (offeredAt: Date): Date => addSeconds(offeredAt, 14 * daySeconds);

/** Maximum number of offers of a merchant in 24 hours, so that no one gets many e-mails. */
export const maxOffersPerDay = 5;
export const offersSince = (at: Date): Date => addSeconds(at, -daySeconds);

type Merchant = { suspendedAt: Date | null; review: string };

/** Whether a merchant can get an entry: it is approved and not suspended. */
export const canReceive = ({ suspendedAt, review }: Merchant): boolean => review === "approved" && suspendedAt === null;

type EntryStatus = "pending" | "active" | "suspended" | "withdrawn";

/** Why an offered entry can't be accepted at the moment. */
export const acceptRefusal = (status: EntryStatus): DomainError | null => {
  if (status === "suspended") {
    return new DomainError("conflict", {
      code: "participant_suspended",
      message: "The entry is suspended. It can’t be accepted until the suspension ends.",
    });
  }
  if (status === "withdrawn") {
    return new DomainError("conflict", {
      code: "participant_withdrawn",
      message: "The other merchant has withdrawn the entry. It can be accepted when it is listed again.",
    });
  }
  return null;
};
