-- Full pages of the directory's changes, as they are served.

CREATE TABLE directory_change_page (
  rendering text NOT NULL,
  first bigint NOT NULL,
  body text NOT NULL,
  etag text NOT NULL,
  stored_at timestamptz(3) NOT NULL,
  PRIMARY KEY (rendering, first)
);
