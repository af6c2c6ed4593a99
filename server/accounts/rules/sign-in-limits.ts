import { addressPrefix } from "../../kernel/ip-address.ts";

/** Failed sign-ins that one account, or one address, may make before it has to wait. */
export type SignInLimit = { key: string; capacity: number; drainSeconds: number };

const accountCapacity = 10;
const accountDrainSeconds = 60;
const addressCapacity = 50;
const addressDrainSeconds = 20;

/**
 * An account's bucket is named by the hash of what was typed, so that it exists for unknown addresses too and
 * stores no e-mail. `ipAddress` null: this caller's address is not limited.
 */
export const signInLimits = (input: { claimedHash: string; ipAddress: string | null }): SignInLimit[] => [
  { key: `account:${input.claimedHash}`, capacity: accountCapacity, drainSeconds: accountDrainSeconds },
  ...(input.ipAddress === null
    ? []
    : [
        {
          key: `address:${addressPrefix(input.ipAddress)}`,
          capacity: addressCapacity,
          drainSeconds: addressDrainSeconds,
        },
      ]),
];
