-- What the memory stores API needs beside the tables of 0001.

-- A workspace is named when a token is made for it.
CREATE UNIQUE INDEX workspace_by_name ON workspace (name);

-- Pages of stores, the newest first.
CREATE INDEX memory_store_by_age ON memory_store (workspace_id, created_at, id);

-- Tombstones of repositories' stores, the oldest first: they are bounded.
CREATE INDEX memory_tombstone ON memory (store_id, sequence) WHERE NOT live;

-- What the replicas of one database sign with, such as the names of pages.
CREATE TABLE signing_key (
    id BIGINT NOT NULL PRIMARY KEY,
    secret {bytes} NOT NULL
);

-- Where this database was served last. A copy of it is elsewhere, or is not what was here last.
CREATE TABLE database_place (
    id BIGINT NOT NULL PRIMARY KEY,
    device BIGINT NOT NULL,
    inode BIGINT NOT NULL,
    word TEXT NOT NULL
);
