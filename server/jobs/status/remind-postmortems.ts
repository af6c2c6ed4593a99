import { remindPostmortems } from "../../status/postmortems/remind-postmortems.ts";
import type { ScheduledJob } from "../job.ts";

/**
 * Reminds once a day per incident. Runs hourly from 07:10 to 18:10 UTC, Monday to Friday, so that it catches up after
 * an outage (docs/spec/status.md, Postmortems).
 */
export const remindPostmortemsJob: ScheduledJob = {
  name: "remind-postmortems",
  cron: "10 7-18 * * 1-5",
  expireInSeconds: 60,
  async run(deps) {
    return { reminded: await remindPostmortems(deps) };
  },
};
