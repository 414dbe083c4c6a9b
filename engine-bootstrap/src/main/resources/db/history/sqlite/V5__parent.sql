-- The instance whose task started this one, and that task; null when a client did.
ALTER TABLE instance ADD COLUMN parent BIGINT;
ALTER TABLE instance ADD COLUMN parent_task TEXT;
CREATE INDEX instance_by_parent ON instance (parent, id) WHERE parent IS NOT NULL;
