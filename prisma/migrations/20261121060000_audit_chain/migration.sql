-- The audit log as a chain: entries are numbered by a sequence, and blocks of them are linked by hash in the background.
-- The number takes the place of a random id: two narrow indexes that grow at their end, where the id's was wide and grew
-- everywhere.
CREATE SEQUENCE "audit_entry_seq" AS bigint CACHE 1;
ALTER TABLE "audit_entry" ADD COLUMN "seq" bigint NOT NULL DEFAULT nextval('audit_entry_seq');
ALTER SEQUENCE "audit_entry_seq" OWNED BY "audit_entry"."seq";
ALTER TABLE "audit_entry" DROP CONSTRAINT "audit_entry_pkey";
ALTER TABLE "audit_entry" DROP COLUMN "id";
ALTER TABLE "audit_entry" ADD PRIMARY KEY ("seq", "at");
CREATE INDEX "audit_entry_at" ON "audit_entry" ("at", "seq");
-- What is rare is found by its name; what comes with every request is found anywhere, and costs no index.
CREATE INDEX "audit_entry_rare_action" ON "audit_entry" ("action", "at", "seq")
  WHERE "action" NOT IN ('token.issued', 'authorization_request.pushed', 'client.authentication_refused');

CREATE TRIGGER "audit_entry_keep" BEFORE TRUNCATE ON "audit_entry" EXECUTE FUNCTION "refuse_change"();

-- Partitioned by when the block was made, which never runs backwards in a shard, so that the oldest leave first.
CREATE TABLE "audit_block" (
  "shard" smallint NOT NULL,
  "number" bigint NOT NULL,
  "made_at" timestamptz(3) NOT NULL,
  "month" text NOT NULL,
  "from_seq" bigint NOT NULL,
  "to_seq" bigint NOT NULL,
  "entries" int NOT NULL,
  "content" text NOT NULL,
  "previous" text NOT NULL,
  "hash" text NOT NULL,
  "marks" bytea NOT NULL,
  PRIMARY KEY ("shard", "number", "made_at")
) PARTITION BY RANGE ("made_at");
CREATE TABLE "audit_block_default" PARTITION OF "audit_block" DEFAULT;
CREATE TRIGGER "audit_block_append_only" BEFORE UPDATE OR DELETE ON "audit_block"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "audit_block_keep" BEFORE TRUNCATE ON "audit_block" EXECUTE FUNCTION "refuse_change"();
SELECT "ensure_partitions"('audit_block', date_trunc('month', now(), 'UTC'), '1 month', 3);

-- Where each shard's chain ends, and the last block that left when its time was over.
CREATE TABLE "audit_chain" (
  "shard" smallint NOT NULL PRIMARY KEY,
  "number" bigint NOT NULL DEFAULT 0,
  "hash" text NOT NULL DEFAULT '',
  "to_seq" bigint NOT NULL DEFAULT 0,
  "made_at" timestamptz(3),
  "base_number" bigint NOT NULL DEFAULT 0,
  "base_hash" text NOT NULL DEFAULT '',
  "base_to_seq" bigint NOT NULL DEFAULT 0,
  "base_made_at" timestamptz(3)
);
INSERT INTO "audit_chain" ("shard") VALUES (0), (1), (2), (3);
