export type ComponentKey =
  | "authorization_server"
  | "wallet_portal"
  | "billing_engine"
  | "discovery_directory"
  | "static_assets"
  | "sandbox";

export type Component = {
  key: ComponentKey;
  name: string;
  group: "Production" | "Sandbox";
  /**
   * uptime objective per UTC calendar month, in ten-thousandths: 9990 is 99.9%; null: best effort, no figure
   * (docs/spec/product.md, Components and hosts)
   */
  objective: number | null;
  /** an outage of one of these affects this component */
  dependsOn: readonly ComponentKey[];
};

/** The components in the order of the status page (docs/spec/product.md, Components and hosts). */
export const components: readonly Component[] = [
  { key: "authorization_server", name: "Authorization server", group: "Production", objective: 9990, dependsOn: [] },
  { key: "wallet_portal", name: "Wallet portal", group: "Production", objective: 9990, dependsOn: [] },
  { key: "billing_engine", name: "Billing engine", group: "Production", objective: 9950, dependsOn: [] },
  { key: "discovery_directory", name: "Discovery directory", group: "Production", objective: 9950, dependsOn: [] },
  { key: "static_assets", name: "Static asset bundle", group: "Production", objective: 9995, dependsOn: [] },
  {
    key: "sandbox",
    name: "Sandbox authorization server",
    group: "Sandbox",
    objective: null,
    dependsOn: ["authorization_server"],
  },
];

export const isComponentKey = (text: string): text is ComponentKey => components.some(({ key }) => key === text);

export const componentName = (key: ComponentKey): string => components.find((one) => one.key === key)?.name ?? key;
