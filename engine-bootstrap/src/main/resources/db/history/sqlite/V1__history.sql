-- Times are milliseconds since the epoch. Values are JSON.

CREATE TABLE instance (
  id BIGINT NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  state TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  business_key TEXT,
  input TEXT,
  output TEXT,
  error TEXT,
  omitted_chars BIGINT NOT NULL
);
CREATE INDEX instance_by_state ON instance (state, id);
CREATE INDEX instance_by_definition ON instance (namespace, name, id);
CREATE INDEX instance_by_business_key ON instance (business_key, id);
CREATE INDEX instance_by_end ON instance (ended_at, id);

CREATE TABLE label (
  id BIGINT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (id, name)
) WITHOUT ROWID;
CREATE INDEX label_by_value ON label (name, value, id);

CREATE TABLE event (
  id BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  kind TEXT NOT NULL,
  at BIGINT NOT NULL,
  since BIGINT NOT NULL,
  pointer TEXT,
  name TEXT,
  activity INTEGER,
  input TEXT,
  output TEXT,
  error TEXT,
  detail TEXT,
  omitted_chars BIGINT NOT NULL,
  PRIMARY KEY (id, sequence)
) WITHOUT ROWID;

-- How far each journal was taken up.
CREATE TABLE journal (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  position BIGINT NOT NULL,
  durable BIGINT NOT NULL,
  looked_at BIGINT NOT NULL
);
