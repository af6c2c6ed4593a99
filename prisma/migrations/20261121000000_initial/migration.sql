-- CreateEnum
CREATE TYPE "charge_state" AS ENUM ('reserved', 'requires_action', 'submitted', 'processing', 'unknown', 'authorized', 'succeeded', 'captured', 'partially_captured', 'partially_refunded', 'refunded', 'declined', 'voided', 'expired', 'disputed');

-- CreateEnum
CREATE TYPE "mandate_state" AS ENUM ('pending', 'active', 'rejected', 'suspended', 'revoked', 'expired', 'consumed');

-- CreateEnum
CREATE TYPE "merchant_role" AS ENUM ('owner', 'admin', 'developer', 'viewer');

-- CreateEnum
CREATE TYPE "client_kind" AS ENUM ('agent', 'merchant');

-- CreateEnum
CREATE TYPE "key_state" AS ENUM ('next', 'active', 'retired', 'revoked');

-- CreateTable
CREATE TABLE "account" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified_at" TIMESTAMPTZ(3),
    "display_name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "is_operator" BOOLEAN NOT NULL DEFAULT false,
    "is_demo" BOOLEAN NOT NULL DEFAULT false,
    "locale" TEXT NOT NULL DEFAULT 'en-GB',
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "auth_time" TIMESTAMPTZ(3) NOT NULL,
    "acr" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "ip_address" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_bucket" (
    "key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_bucket_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "payment_method" (
    "id" TEXT NOT NULL,
    "payer_id" TEXT NOT NULL,
    "processor" TEXT NOT NULL,
    "processor_ref" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_method_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "charge" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "mandate_id" TEXT NOT NULL,
    "mandate_version" INTEGER NOT NULL,
    "merchant_client_id" TEXT NOT NULL,
    "agent_client_id" TEXT NOT NULL,
    "payer_id" TEXT NOT NULL,
    "state" "charge_state" NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "amount_captured" BIGINT NOT NULL DEFAULT 0,
    "amount_refunded" BIGINT NOT NULL DEFAULT 0,
    "capture_method" TEXT NOT NULL,
    "payer_presence" TEXT NOT NULL,
    "reference" TEXT,
    "transaction_id" TEXT,
    "metadata" JSONB NOT NULL,
    "periods" JSONB NOT NULL,
    "processor" TEXT NOT NULL,
    "processor_account" TEXT NOT NULL,
    "payment_method_ref" TEXT NOT NULL,
    "processor_ref" TEXT,
    "decline_code" TEXT,
    "decline" JSONB,
    "next_action" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "submitted_at" TIMESTAMPTZ(3),
    "final_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "next_lookup_at" TIMESTAMPTZ(3),
    "lookups" INTEGER NOT NULL DEFAULT 0,
    "not_found_at" TIMESTAMPTZ(3),

    CONSTRAINT "charge_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "dispatched_at" TIMESTAMPTZ(3),

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail" (
    "id" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "environment" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "kind" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "environment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mandate" (
    "id" TEXT NOT NULL,
    "grant_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "payer_id" TEXT NOT NULL,
    "payment_method_id" TEXT,
    "state" "mandate_state" NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "suspended_by" TEXT[],
    "details" JSONB NOT NULL,
    "actions" TEXT[],
    "currency" CHAR(3) NOT NULL,
    "max_amount_per_payment" BIGINT,
    "max_total_amount" BIGINT,
    "max_payments" BIGINT,
    "periodic_limits" JSONB NOT NULL,
    "time_zone" TEXT NOT NULL,
    "payee_merchant_ids" TEXT[],
    "payee_categories" TEXT[],
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_until" TIMESTAMPTZ(3) NOT NULL,
    "payer_presence" TEXT[],
    "step_up_above" BIGINT,
    "refund_policy" TEXT NOT NULL,
    "purpose" TEXT NOT NULL DEFAULT '',
    "budget_visible" BOOLEAN NOT NULL DEFAULT false,
    "used_amount" BIGINT NOT NULL DEFAULT 0,
    "held_amount" BIGINT NOT NULL DEFAULT 0,
    "used_count" BIGINT NOT NULL DEFAULT 0,
    "held_count" BIGINT NOT NULL DEFAULT 0,
    "consented_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "mandate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mandate_period" (
    "mandate_id" TEXT NOT NULL,
    "limit_key" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "used_amount" BIGINT NOT NULL DEFAULT 0,
    "held_amount" BIGINT NOT NULL DEFAULT 0,
    "used_count" BIGINT NOT NULL DEFAULT 0,
    "held_count" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "mandate_period_pkey" PRIMARY KEY ("mandate_id","limit_key","starts_at")
);

-- CreateTable
CREATE TABLE "mandate_version" (
    "mandate_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "details" JSONB NOT NULL,
    "list_number" INTEGER NOT NULL,
    "status_index" INTEGER NOT NULL,
    "revoked" BOOLEAN NOT NULL DEFAULT false,
    "suspended" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "superseded_at" TIMESTAMPTZ(3),

    CONSTRAINT "mandate_version_pkey" PRIMARY KEY ("mandate_id","version")
);

-- CreateTable
CREATE TABLE "consent" (
    "id" TEXT NOT NULL,
    "grant_id" TEXT,
    "payer_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "decision" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "text_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "consent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "status_list" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "body" TEXT,
    "etag" TEXT,
    "built_at" TIMESTAMPTZ(3),
    "valid_until" TIMESTAMPTZ(3),
    "kid" TEXT,

    CONSTRAINT "status_list_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_pulse" (
    "name" TEXT NOT NULL,
    "ran_at" TIMESTAMPTZ(3) NOT NULL,
    "ok_at" TIMESTAMPTZ(3),
    "runs" BIGINT NOT NULL DEFAULT 0,
    "failures" BIGINT NOT NULL DEFAULT 0,
    "done" BIGINT NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "failed_at" TIMESTAMPTZ(3),

    CONSTRAINT "job_pulse_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "status_change" (
    "id" BIGSERIAL NOT NULL,
    "list_number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "status_change_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merchant" (
    "id" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "legal_name" TEXT NOT NULL,
    "mcc" CHAR(4) NOT NULL,
    "processor" TEXT NOT NULL,
    "processor_account" TEXT NOT NULL,
    "suspended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merchant_member" (
    "merchant_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "role" "merchant_role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_member_pkey" PRIMARY KEY ("merchant_id","account_id")
);

-- CreateTable
CREATE TABLE "client" (
    "id" TEXT NOT NULL,
    "kind" "client_kind" NOT NULL,
    "merchant_id" TEXT,
    "name" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,
    "redirect_uris" TEXT[],
    "grant_types" TEXT[],
    "scopes" TEXT[],
    "jwks" JSONB,
    "jwks_uri" TEXT,
    "key_thumbprint_hashes" TEXT[],
    "assertion_alg" TEXT,
    "dpop_bound" BOOLEAN NOT NULL,
    "registration_token_hash" TEXT NOT NULL,
    "initial_access_token_id" TEXT,
    "epoch" INTEGER NOT NULL DEFAULT 1,
    "version" INTEGER NOT NULL DEFAULT 1,
    "is_verified" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "initial_access_token" (
    "id" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "kind" "client_kind" NOT NULL,
    "merchant_id" TEXT,
    "scopes" TEXT[],
    "uses_left" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "initial_access_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pushed_request" (
    "request_uri_hash" TEXT NOT NULL,
    "handle" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "opened_at" TIMESTAMPTZ(3),
    "complete_by" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "pushed_request_pkey" PRIMARY KEY ("request_uri_hash")
);

-- CreateTable
CREATE TABLE "grant" (
    "id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "payer_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "epoch" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "grant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "authorization_code" (
    "code_hash" TEXT NOT NULL,
    "grant_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "dpop_jkt" TEXT,
    "resource" TEXT,
    "auth_time" TIMESTAMPTZ(3) NOT NULL,
    "acr" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "authorization_code_pkey" PRIMARY KEY ("code_hash")
);

-- CreateTable
CREATE TABLE "refresh_token" (
    "secret_hash" TEXT NOT NULL,
    "family_id" TEXT NOT NULL,
    "grant_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "auth_time" TIMESTAMPTZ(3) NOT NULL,
    "acr" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "rotated_at" TIMESTAMPTZ(3),
    "successor_sealed" TEXT,
    "successor_hash" TEXT,
    "request_hash" TEXT,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_token_pkey" PRIMARY KEY ("secret_hash")
);

-- CreateTable
CREATE TABLE "token_denial" (
    "jti" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "token_denial_pkey" PRIMARY KEY ("jti")
);

-- CreateTable
CREATE TABLE "signing_key" (
    "kid" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "alg" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "private_sealed" TEXT,
    "state" "key_state" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "activated_at" TIMESTAMPTZ(3),
    "retired_at" TIMESTAMPTZ(3),
    "publish_until" TIMESTAMPTZ(3),

    CONSTRAINT "signing_key_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "foreign_client_key" (
    "thumbprint_hash" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "foreign_client_key_pkey" PRIMARY KEY ("thumbprint_hash")
);

-- CreateTable
CREATE TABLE "foreign_client_key_list" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "jwks" JSONB NOT NULL,

    CONSTRAINT "foreign_client_key_list_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_email_key" ON "account"("email");

-- CreateIndex
CREATE UNIQUE INDEX "session_secret_hash_key" ON "session"("secret_hash");

-- CreateIndex
CREATE INDEX "session_account_id_idx" ON "session"("account_id");

-- CreateIndex
CREATE INDEX "sign_in_bucket_last_at_idx" ON "sign_in_bucket"("last_at");

-- CreateIndex
CREATE INDEX "payment_method_payer_id_idx" ON "payment_method"("payer_id");

-- CreateIndex
CREATE INDEX "charge_merchant_id_created_at_id_idx" ON "charge"("merchant_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "charge_mandate_id_created_at_idx" ON "charge"("mandate_id", "created_at");

-- CreateIndex
CREATE INDEX "charge_payer_id_created_at_id_idx" ON "charge"("payer_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "event_created_at_idx" ON "event"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "event_object_id_sequence_key" ON "event"("object_id", "sequence");

-- CreateIndex
CREATE INDEX "mail_created_at_idx" ON "mail"("created_at");

-- CreateIndex
CREATE INDEX "mandate_payer_id_state_idx" ON "mandate"("payer_id", "state");

-- CreateIndex
CREATE INDEX "mandate_grant_id_idx" ON "mandate"("grant_id");

-- CreateIndex
CREATE INDEX "mandate_client_id_idx" ON "mandate"("client_id");

-- CreateIndex
CREATE INDEX "mandate_valid_until_idx" ON "mandate"("valid_until");

-- CreateIndex
CREATE UNIQUE INDEX "mandate_version_list_number_status_index_key" ON "mandate_version"("list_number", "status_index");

-- CreateIndex
CREATE INDEX "consent_payer_id_idx" ON "consent"("payer_id");

-- CreateIndex
CREATE INDEX "consent_grant_id_idx" ON "consent"("grant_id");

-- CreateIndex
CREATE UNIQUE INDEX "status_list_kind_number_key" ON "status_list"("kind", "number");

-- CreateIndex
CREATE INDEX "status_change_list_number_idx" ON "status_change"("list_number");

-- CreateIndex
CREATE INDEX "merchant_display_name_idx" ON "merchant"("display_name");

-- CreateIndex
CREATE INDEX "merchant_member_account_id_idx" ON "merchant_member"("account_id");

-- CreateIndex
CREATE INDEX "client_merchant_id_idx" ON "client"("merchant_id");

-- CreateIndex
CREATE UNIQUE INDEX "initial_access_token_secret_hash_key" ON "initial_access_token"("secret_hash");

-- CreateIndex
CREATE UNIQUE INDEX "pushed_request_handle_key" ON "pushed_request"("handle");

-- CreateIndex
CREATE INDEX "pushed_request_created_at_idx" ON "pushed_request"("created_at");

-- CreateIndex
CREATE INDEX "grant_payer_id_idx" ON "grant"("payer_id");

-- CreateIndex
CREATE INDEX "grant_client_id_idx" ON "grant"("client_id");

-- CreateIndex
CREATE INDEX "authorization_code_expires_at_idx" ON "authorization_code"("expires_at");

-- CreateIndex
CREATE INDEX "refresh_token_grant_id_idx" ON "refresh_token"("grant_id");

-- CreateIndex
CREATE INDEX "refresh_token_family_id_idx" ON "refresh_token"("family_id");

-- CreateIndex
CREATE INDEX "refresh_token_expires_at_idx" ON "refresh_token"("expires_at");

-- CreateIndex
CREATE INDEX "token_denial_expires_at_idx" ON "token_denial"("expires_at");

-- CreateIndex
CREATE INDEX "signing_key_purpose_state_idx" ON "signing_key"("purpose", "state");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_method" ADD CONSTRAINT "payment_method_payer_id_fkey" FOREIGN KEY ("payer_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charge" ADD CONSTRAINT "charge_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charge" ADD CONSTRAINT "charge_mandate_id_fkey" FOREIGN KEY ("mandate_id") REFERENCES "mandate"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mandate" ADD CONSTRAINT "mandate_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mandate" ADD CONSTRAINT "mandate_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mandate" ADD CONSTRAINT "mandate_payer_id_fkey" FOREIGN KEY ("payer_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mandate" ADD CONSTRAINT "mandate_payment_method_id_fkey" FOREIGN KEY ("payment_method_id") REFERENCES "payment_method"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mandate_period" ADD CONSTRAINT "mandate_period_mandate_id_fkey" FOREIGN KEY ("mandate_id") REFERENCES "mandate"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mandate_version" ADD CONSTRAINT "mandate_version_mandate_id_fkey" FOREIGN KEY ("mandate_id") REFERENCES "mandate"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "consent" ADD CONSTRAINT "consent_payer_id_fkey" FOREIGN KEY ("payer_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merchant_member" ADD CONSTRAINT "merchant_member_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merchant_member" ADD CONSTRAINT "merchant_member_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client" ADD CONSTRAINT "client_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pushed_request" ADD CONSTRAINT "pushed_request_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grant" ADD CONSTRAINT "grant_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grant" ADD CONSTRAINT "grant_payer_id_fkey" FOREIGN KEY ("payer_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorization_code" ADD CONSTRAINT "authorization_code_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_token" ADD CONSTRAINT "refresh_token_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema language can't say.

ALTER TABLE "environment" ADD CONSTRAINT "environment_one_row" CHECK ("id" = 1);
ALTER TABLE "account" ADD CONSTRAINT "account_email_lower" CHECK ("email" = lower("email"));
ALTER TABLE "client" ADD CONSTRAINT "client_one_key_source" CHECK (num_nonnulls("jwks", "jwks_uri") = 1);
ALTER TABLE "client" ADD CONSTRAINT "client_merchant_by_kind" CHECK (("kind" = 'merchant') = ("merchant_id" IS NOT NULL));
ALTER TABLE "merchant" ADD CONSTRAINT "merchant_mcc" CHECK ("mcc" ~ '^[0-9]{4}$');
ALTER TABLE "initial_access_token" ADD CONSTRAINT "initial_access_token_uses" CHECK ("uses_left" >= 0);

CREATE UNIQUE INDEX "payment_method_one_default" ON "payment_method" ("payer_id") WHERE "is_default" AND "removed_at" IS NULL;
CREATE UNIQUE INDEX "signing_key_one_active" ON "signing_key" ("purpose") WHERE "state" = 'active';
CREATE INDEX "charge_due" ON "charge" ("next_lookup_at") WHERE "next_lookup_at" IS NOT NULL;
CREATE INDEX "charge_unsubmitted" ON "charge" ("mandate_id") WHERE "state" IN ('reserved', 'requires_action');
CREATE INDEX "mandate_due" ON "mandate" ("valid_until") WHERE "state" IN ('active', 'suspended');
CREATE INDEX "event_undispatched" ON "event" ("created_at") WHERE "dispatched_at" IS NULL;
CREATE INDEX "mandate_version_flagged" ON "mandate_version" ("list_number", "status_index") INCLUDE ("revoked", "suspended") WHERE "revoked" OR "suspended";
CREATE INDEX "mandate_payees" ON "mandate" USING gin ("payee_merchant_ids");

-- The database's own word on money: no counter below zero, at least one amount cap.
ALTER TABLE "mandate" ADD CONSTRAINT "mandate_counters" CHECK ("used_amount" >= 0 AND "held_amount" >= 0 AND "used_count" >= 0 AND "held_count" >= 0);
ALTER TABLE "mandate" ADD CONSTRAINT "mandate_window" CHECK ("valid_from" < "valid_until");
ALTER TABLE "mandate" ADD CONSTRAINT "mandate_suspension" CHECK (("state" <> 'suspended') OR cardinality("suspended_by") > 0);
ALTER TABLE "mandate_period" ADD CONSTRAINT "mandate_period_counters" CHECK ("used_amount" >= 0 AND "held_amount" >= 0 AND "used_count" >= 0 AND "held_count" >= 0);
ALTER TABLE "mandate_period" ADD CONSTRAINT "mandate_period_window" CHECK ("starts_at" < "ends_at");
ALTER TABLE "charge" ADD CONSTRAINT "charge_amounts" CHECK ("amount" BETWEEN 1 AND 99999999999 AND "amount_captured" BETWEEN 0 AND "amount" AND "amount_refunded" BETWEEN 0 AND "amount_captured");

-- Their counters change with every charge: room on the page keeps those updates out of the indexes (heap-only tuples).
ALTER TABLE "mandate" SET (fillfactor = 50);
ALTER TABLE "mandate_period" SET (fillfactor = 50);

-- A revoked index never becomes valid again.
CREATE FUNCTION "refuse_unrevoke"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a revoked status index never flips back';
END $$;
CREATE TRIGGER "mandate_version_revoked_is_final" BEFORE UPDATE ON "mandate_version"
  FOR EACH ROW WHEN (OLD."revoked" AND NOT NEW."revoked") EXECUTE FUNCTION "refuse_unrevoke"();

-- Replay stores, partitioned by the instant after which a replay is refused anyway (docs/spec/oauth.md, Replay
-- protection).
CREATE TABLE "assertion_jti" (
  "client_id" text NOT NULL,
  "jti" text NOT NULL,
  "exp" timestamptz(0) NOT NULL,
  "request_id" uuid NOT NULL,
  PRIMARY KEY ("client_id", "jti", "exp")
) PARTITION BY RANGE ("exp");
CREATE TABLE "assertion_jti_default" PARTITION OF "assertion_jti" DEFAULT;

CREATE TABLE "dpop_jti" (
  "jkt" text NOT NULL,
  "jti" text NOT NULL,
  "htu" text NOT NULL,
  "iat" timestamptz(0) NOT NULL,
  "request_id" uuid NOT NULL,
  PRIMARY KEY ("jkt", "jti", "htu", "iat")
) PARTITION BY RANGE ("iat");
CREATE TABLE "dpop_jti_default" PARTITION OF "dpop_jti" DEFAULT;

-- Append-only audit log, by month.
CREATE TABLE "audit_entry" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "at" timestamptz(3) NOT NULL,
  "actor_kind" text NOT NULL,
  "actor_id" text NOT NULL,
  "action" text NOT NULL,
  "subject_id" text NOT NULL,
  "request_id" text NOT NULL,
  "data" jsonb NOT NULL,
  PRIMARY KEY ("id", "at")
) PARTITION BY RANGE ("at");
CREATE TABLE "audit_entry_default" PARTITION OF "audit_entry" DEFAULT;
CREATE INDEX "audit_entry_subject" ON "audit_entry" ("subject_id", "at");
CREATE INDEX "audit_entry_actor" ON "audit_entry" ("actor_id", "at");
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE ON "audit_entry"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "consent_append_only" BEFORE UPDATE OR DELETE ON "consent"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- Idempotency keys: unique over time per merchant and route, so hash-partitioned by merchant (docs/spec/operations.md,
-- Data retention).
CREATE TABLE "idempotency_key" (
  "merchant_id" text NOT NULL,
  "route" text NOT NULL,
  "key" text NOT NULL,
  "body_hash" text NOT NULL,
  "charge_id" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL,
  "response_status" int,
  "response_body" text,
  PRIMARY KEY ("merchant_id", "route", "key")
) PARTITION BY HASH ("merchant_id");
CREATE INDEX "idempotency_key_created" ON "idempotency_key" ("created_at");
CREATE INDEX "idempotency_key_charge" ON "idempotency_key" ("charge_id");
DO $$
BEGIN
  FOR part IN 0..7 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF "idempotency_key" FOR VALUES WITH (MODULUS 8, REMAINDER %s)', 'idempotency_key_' || part, part);
  END LOOP;
END $$;

-- Makes the range partitions of one table from `first` on, one per `step`; upkeep calls it ahead of time.
-- In UTC, whatever the session's time zone: a day of another zone is 23 or 25 hours long now and then.
CREATE FUNCTION "ensure_partitions"("parent" text, "first" timestamptz, "step" interval, "total" int) RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  lower_bound timestamptz := "first";
  name text;
BEGIN
  FOR i IN 1.."total" LOOP
    name := "parent" || '_' || to_char(lower_bound, 'YYYYMMDD');
    IF to_regclass(quote_ident(name)) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', name, "parent", lower_bound, lower_bound + "step");
    END IF;
    lower_bound := lower_bound + "step";
  END LOOP;
END $$;

-- Drops the partitions that end at `before` or earlier, and tells how many.
CREATE FUNCTION "drop_partitions"("parent" text, "step" interval, "before" timestamptz) RETURNS int LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  name text;
  dropped int := 0;
BEGIN
  FOR name IN
    SELECT child.relname FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
    WHERE inhparent = quote_ident("parent")::regclass
      AND child.relname ~ ('^' || "parent" || '_[0-9]{8}$')
      AND to_timestamp(right(child.relname, 8), 'YYYYMMDD') + "step" <= "before"
  LOOP
    EXECUTE format('DROP TABLE %I', name);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;

-- Those of now, so that no first row falls into a default partition and keeps its month there; upkeep makes all later ones.
SELECT "ensure_partitions"('assertion_jti', date_trunc('day', now(), 'UTC'), '1 day', 3);
SELECT "ensure_partitions"('dpop_jti', date_trunc('day', now(), 'UTC'), '1 day', 3);
SELECT "ensure_partitions"('audit_entry', date_trunc('month', now(), 'UTC'), '1 month', 3);
