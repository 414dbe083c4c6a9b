-- Outputs of instances that are too long for a column of text: JSON, compressed by DEFLATE (RFC 1950).
CREATE TABLE result (
  id BIGINT NOT NULL PRIMARY KEY,
  output BYTEA NOT NULL
);
