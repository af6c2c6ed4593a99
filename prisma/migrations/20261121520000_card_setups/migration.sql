-- A payer gives a card on the processor's own pages: what was begun there, until it is known what came of it.
CREATE TYPE "card_setup_state" AS ENUM ('open', 'added', 'ended');

CREATE TABLE "card_setup" (
    "id" TEXT NOT NULL,
    "payer_id" TEXT NOT NULL,
    "processor" TEXT NOT NULL,
    "setup_ref" TEXT NOT NULL,
    "state" "card_setup_state" NOT NULL DEFAULT 'open',
    "payment_method_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "next_lookup_at" TIMESTAMPTZ(3),
    "lookups" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "card_setup_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "card_setup_processor_setup_ref_key" ON "card_setup"("processor", "setup_ref");
CREATE INDEX "card_setup_payer_id_idx" ON "card_setup"("payer_id");
CREATE INDEX "card_setup_next_lookup_at_idx" ON "card_setup"("next_lookup_at");
CREATE INDEX "card_setup_expires_at_idx" ON "card_setup"("expires_at");

ALTER TABLE "card_setup" ADD CONSTRAINT "card_setup_payer_id_fkey" FOREIGN KEY ("payer_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "card_setup" ADD CONSTRAINT "card_setup_payment_method_id_fkey" FOREIGN KEY ("payment_method_id") REFERENCES "payment_method"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What is over is asked for no more, and only what was added has a method.
ALTER TABLE "card_setup" ADD CONSTRAINT "card_setup_settled" CHECK (
  ("state" = 'open') = ("next_lookup_at" IS NOT NULL) AND ("state" = 'added') = ("payment_method_id" IS NOT NULL)
);
