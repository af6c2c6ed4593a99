import { listSettings } from "../../operators/list-settings.ts";
import { accountProcedure, router } from "../init.ts";

/** Names, values that aren't secret, and sources (docs/spec/portal.md, Operator console). */
export const operatorSettingsRouter = router({
  list: accountProcedure("setting.list").query(({ ctx }) => listSettings(ctx.deps)),
});
