-- Answered requests of one web process in one minute, for the operators' home page (docs/spec/portal.md, Live figures).
CREATE TABLE request_minute (
  minute timestamptz(3) NOT NULL,
  -- random for each start of a process
  process text NOT NULL,
  requests bigint NOT NULL,
  errors bigint NOT NULL,
  -- the histogram of latency_hour
  counts bigint[] NOT NULL,
  CONSTRAINT request_minute_pkey PRIMARY KEY (minute, process)
);
