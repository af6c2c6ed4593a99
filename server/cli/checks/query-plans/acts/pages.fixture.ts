import { callerOf } from "../../../../trpc/caller.fixture.ts";
import { type Acts, at } from "./act.fixture.ts";
import type { Actors } from "./world.fixture.ts";

const payer = ({ deps, world }: Actors) => callerOf(deps, world.payer.id);
const member = ({ deps, world }: Actors) => callerOf(deps, world.memberId);
const merchantOf = ({ world }: Actors) => ({ merchantId: world.merchant.id });

/** The lists that people open most. */
export const pageActs: Acts = {
  "wallet: home": at((actors) => payer(actors).wallet.overview()),
  "wallet: mandates": at((actors) => payer(actors).wallet.mandates()),
  "wallet: activity": at((actors) => payer(actors).wallet.activityEntries({})),
  "wallet: failed payments": at((actors) => payer(actors).wallet.activityEntries({ show: "failed" })),
  "wallet: approvals": at((actors) => payer(actors).wallet.approvals()),
  "merchant: overview": at((actors) => member(actors).payments.overview(merchantOf(actors))),
  "merchant: payments": at((actors) => member(actors).payments.list(merchantOf(actors))),
  "merchant: mandates": at((actors) => member(actors).merchantMandates.list(merchantOf(actors))),
  "merchant: API log": at((actors) => member(actors).logs.list(merchantOf(actors))),
  "merchant: webhook endpoints": at((actors) => member(actors).webhooks.endpoints(merchantOf(actors))),
  "merchant: webhook deliveries": at((actors) => member(actors).webhooks.deliveries(merchantOf(actors))),
  "merchant: audit log": at((actors) => member(actors).merchantAudit.list(merchantOf(actors))),
};
