import { layout } from "./rules/chain.ts";

/** Each shard has its own chain, which is verified from its start. */
export const auditShards = layout.shards;
