import { layout } from "./rules/chain.ts";

/** Each shard has a chain of its own, which is verified from its start. */
export const auditShards = layout.shards;
