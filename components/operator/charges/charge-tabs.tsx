import { ListTabs } from "../../portal/lists/list-tabs.tsx";

export const chargesPath = "/operator/charges";
export const reviewPath = "/operator/charges?show=review";

export const ChargeTabs = ({ current }: { current: typeof chargesPath | typeof reviewPath }) => (
  <ListTabs
    label="Charges"
    tabs={[
      { href: chargesPath, label: "All charges" },
      { href: reviewPath, label: "Needs review" },
    ]}
    current={current}
  />
);
