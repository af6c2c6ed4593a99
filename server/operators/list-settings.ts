import type { Deps } from "../deps/deps.ts";
import { type Setting, settingsInForce } from "../platform/settings/settings-in-force.ts";

/** The settings of this process (docs/spec/portal.md, Operator console). Secret values are left out. */
export const listSettings = ({ config }: Pick<Deps, "config">): Setting[] => settingsInForce(process.env, config);
