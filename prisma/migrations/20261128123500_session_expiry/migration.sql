-- Expired sessions are deleted in small batches. Without this index, each batch reads all sessions.
CREATE INDEX session_expires_at_idx ON session (expires_at);
