-- Times are milliseconds since the epoch. Documents are JSON. An engine is a data folder.

CREATE TABLE broker_plan (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  engine TEXT NOT NULL,
  at BIGINT NOT NULL,
  version BIGINT NOT NULL,
  state TEXT NOT NULL,
  cause TEXT NOT NULL,
  document TEXT NOT NULL
);
CREATE INDEX broker_plan_by_engine ON broker_plan (engine, id);

CREATE TABLE broker_decision (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  engine TEXT NOT NULL,
  at BIGINT NOT NULL,
  change TEXT NOT NULL,
  outcome TEXT NOT NULL,
  plan BIGINT NOT NULL,
  document TEXT NOT NULL
);
CREATE INDEX broker_decision_by_engine ON broker_decision (engine, id);

CREATE TABLE broker_observation (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  engine TEXT NOT NULL,
  at BIGINT NOT NULL,
  service TEXT NOT NULL,
  class TEXT NOT NULL,
  calls BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  mean_seconds DOUBLE PRECISION
);
CREATE INDEX broker_observation_by_service ON broker_observation (engine, service, id);

-- Copies of the documents in the data folder, each the latest.
CREATE TABLE broker_document (
  engine TEXT NOT NULL,
  name TEXT NOT NULL,
  at BIGINT NOT NULL,
  version BIGINT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (engine, name)
);
