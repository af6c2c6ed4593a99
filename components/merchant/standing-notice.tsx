import Link from "next/link";
import type { MerchantStanding } from "#server/kernel/merchant-standing.ts";
import { Notice } from "../ui/notice.tsx";

/** Says why a merchant can't charge, and what happens next. */
export const StandingNotice = ({ name, standing }: { name: string; standing: MerchantStanding }) => {
  switch (standing) {
    case "active":
      return null;
    case "suspended":
      return (
        <Notice tone="warn">
          <b>{name} is suspended.</b> New charges are refused. You can still capture, void and refund earlier charges.
          We e-mail the owners and admins when the suspension is lifted.
        </Notice>
      );
    case "pending":
      return (
        <Notice tone="note">
          <b>{name} is waiting for approval.</b> You can view the dashboard and invite your team. After the approval,
          you can register apps and charge. We e-mail the decision to the owners.
        </Notice>
      );
    case "declined":
      return (
        <Notice tone="bad">
          <b>{name} was not approved.</b> It can’t register apps or charge. We sent the reason to the owners by e-mail.
        </Notice>
      );
    case "not_connected":
      return (
        <Notice tone="warn">
          <b>{name} can’t charge.</b> Its account at the payment processor isn’t complete.{" "}
          <Link href="/merchant/settings">See Settings, Processor</Link>.
        </Notice>
      );
  }
};
