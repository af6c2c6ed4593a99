import type { ReactNode } from "react";
import { BillingNav } from "#components/merchant/billing/billing-nav.tsx";

const BillingLayout = ({ children }: { children: ReactNode }) => (
  <>
    <BillingNav />
    {children}
  </>
);

export default BillingLayout;
