import { ListTabs } from "../../portal/lists/list-tabs.tsx";

export const invoicesPath = "/operator/invoices";
export const taxPath = "/operator/invoices?show=tax";

export const InvoiceTabs = ({ current }: { current: typeof invoicesPath | typeof taxPath }) => (
  <ListTabs
    label="Invoices"
    tabs={[
      { href: invoicesPath, label: "All invoices" },
      { href: taxPath, label: "Tax decisions" },
    ]}
    current={current}
  />
);
