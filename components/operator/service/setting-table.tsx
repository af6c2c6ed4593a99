import type { Setting } from "#server/platform/settings/settings-in-force.ts";
import { Breakable } from "../../format/breakable.tsx";
import { Pill, type Tone } from "../../ui/pill.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "./setting-table.module.css";

const sources: Readonly<Record<Setting["source"], { tone: Tone; label: string }>> = {
  environment: { tone: "note", label: "Environment" },
  default: { tone: "neutral", label: "Default" },
  derived: { tone: "neutral", label: "Derived" },
};

const Value = ({ setting: { value, isSecret, source } }: { setting: Setting }) => {
  if (isSecret) return <span className="muted">{source === "default" ? "Not set" : "Set, not shown"}</span>;
  return value === null ? <span className="muted">Not set</span> : <code className={styles.value}>{value}</code>;
};

/** Settings with their values and sources, by name. */
export const SettingTable = ({ settings }: { settings: readonly Setting[] }) => (
  <Table caption="Settings" columns={["Setting", "Value", { short: "Source" }]}>
    <tbody>
      {settings.map((setting) => (
        <tr key={setting.name}>
          <td>
            <code>
              <Breakable path={setting.name} />
            </code>
          </td>
          <td>
            <Value setting={setting} />
          </td>
          <td>
            <Pill tone={sources[setting.source].tone}>{sources[setting.source].label}</Pill>
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
