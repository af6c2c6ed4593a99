import { createHash } from "node:crypto";
import type { AlertRule } from "./rules/board.ts";
import { componentName, isComponentKey } from "./rules/components.ts";

/** What operators are told of an alert. @param alert.burnRate null: it is over. */
export const alertMail = (
  alert: { component: string; rule: AlertRule; burnRate: number | null; at: Date },
  statusUrl: string,
) => {
  const { component, rule, burnRate, at } = alert;
  const name = isComponentKey(component) ? componentName(component) : component;
  return { kind: "status_alert", componentName: name, rule, burnRate, at, statusUrl } as const;
};

/** Stands for an operator's address in the journal, which names nobody. */
export const markOf = (recipient: string): string => createHash("sha256").update(recipient).digest("hex").slice(0, 16);
