-- Witnesses of the transparency log (C2SP tlog-witness): what each has cosigned, and when it is asked next.

CREATE TABLE directory_log_witness (
  key text NOT NULL PRIMARY KEY,
  size bigint NOT NULL DEFAULT 0,
  body text,
  cosignature text,
  next_attempt_at timestamptz(3) NOT NULL,
  failures integer NOT NULL DEFAULT 0
);
