-- Events that wait for subscribers, in the order in which they are sent.
CREATE TABLE outbox (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  kind TEXT NOT NULL,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  event TEXT NOT NULL,
  UNIQUE (id, sequence)
);

-- How far each subscriber is.
CREATE TABLE delivery (
  subscription TEXT NOT NULL PRIMARY KEY,
  position BIGINT NOT NULL,
  delivered BIGINT NOT NULL,
  skipped BIGINT NOT NULL,
  lost BIGINT NOT NULL,
  failure TEXT
);
