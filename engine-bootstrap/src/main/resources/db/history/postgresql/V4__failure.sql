-- Errors of instances that are too long for a column of text: JSON, compressed by DEFLATE (RFC 1950).
CREATE TABLE failure (
  id BIGINT NOT NULL PRIMARY KEY,
  error BYTEA NOT NULL
);
