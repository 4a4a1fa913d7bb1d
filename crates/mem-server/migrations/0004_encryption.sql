-- Contents that are sealed: `memory_version.codec` 1, under the data key `key_id`.

-- Whether stores that come about have a data key from the start.
CREATE TABLE encryption (
    id BIGINT NOT NULL PRIMARY KEY,
    is_on BOOLEAN NOT NULL
);

INSERT INTO encryption (id, is_on) VALUES (1, FALSE);

-- The key that a store's next versions are sealed with; none: they are plain.
ALTER TABLE memory_store ADD COLUMN data_key_id TEXT;

-- Every data key in use, wrapped by the master key that `master_id` names. They end with their store.
CREATE TABLE data_key (
    id TEXT NOT NULL PRIMARY KEY,
    store_id TEXT NOT NULL REFERENCES memory_store (id) ON DELETE CASCADE,
    master_id TEXT NOT NULL,
    wrapped {bytes} NOT NULL
);

CREATE INDEX data_key_by_store ON data_key (store_id);
