import { ListTabs } from "../../portal/lists/list-tabs.tsx";

export const dunningPath = "/operator/dunning";
export const paymentReviewPath = "/operator/dunning?show=review";

export const DunningTabs = ({ current }: { current: typeof dunningPath | typeof paymentReviewPath }) => (
  <ListTabs
    label="Dunning"
    tabs={[
      { href: dunningPath, label: "Unpaid invoices" },
      { href: paymentReviewPath, label: "Payments to review" },
    ]}
    current={current}
  />
);
