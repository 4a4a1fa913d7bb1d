-- The tables of memory stores. {bytes}, {path} and {now_us} are filled in by the dialect.
-- Times are microseconds since 1970-01-01T00:00:00Z.

-- Whether this is a copy that nobody has opened yet: its stores then begin new epochs.
CREATE TABLE database_life (
    id BIGINT NOT NULL PRIMARY KEY,
    is_copy BOOLEAN NOT NULL
);

INSERT INTO database_life (id, is_copy) VALUES (1, FALSE);

CREATE TABLE workspace (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

INSERT INTO workspace (id, name, created_at) VALUES ('wrkspc_default', 'default', {now_us});

-- `handle` is a name that only one store of the workspace can have: `team:owner/repo`. Stores that
-- people name freely have none.
CREATE TABLE memory_store (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspace (id),
    handle TEXT,
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    metadata TEXT NOT NULL DEFAULT '{}',
    owner TEXT,
    epoch TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    live_memories BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    archived_at BIGINT,
    UNIQUE (workspace_id, handle)
);

-- One row for each path that has something or had it last: a row that is not live is a tombstone,
-- whose checksum is that of the content that was deleted.
CREATE TABLE memory (
    id TEXT NOT NULL PRIMARY KEY,
    store_id TEXT NOT NULL REFERENCES memory_store (id) ON DELETE CASCADE,
    path {path} NOT NULL,
    path_folded {path} NOT NULL,
    live BOOLEAN NOT NULL,
    version_id TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    content_sha256 {bytes} NOT NULL,
    content_size BIGINT NOT NULL,
    owner TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    UNIQUE (store_id, path)
);

CREATE INDEX memory_by_folded_path ON memory (store_id, path_folded);

-- Never changed but by redaction. `change` is the number that the store had after everything that was
-- done at once with this. A deletion has neither content nor checksum. `codec` 0 is the plain UTF-8;
-- others are for contents that are encrypted under `key_id`. Content is the last column: SQLite reads all
-- that stands before a column.
CREATE TABLE memory_version (
    id TEXT NOT NULL UNIQUE,
    store_id TEXT NOT NULL REFERENCES memory_store (id) ON DELETE CASCADE,
    sequence BIGINT NOT NULL,
    change BIGINT NOT NULL,
    memory_id TEXT NOT NULL,
    operation TEXT NOT NULL CHECK (operation IN ('created', 'modified', 'deleted')),
    path {path},
    content_sha256 {bytes},
    content_size BIGINT,
    codec BIGINT NOT NULL DEFAULT 0,
    key_id TEXT,
    created_at BIGINT NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    redacted_at BIGINT,
    redactor_kind TEXT,
    redactor_id TEXT,
    redactor_name TEXT,
    content {bytes},
    PRIMARY KEY (store_id, sequence)
);

CREATE INDEX memory_version_by_path ON memory_version (store_id, path, sequence);
CREATE INDEX memory_version_by_memory ON memory_version (memory_id, sequence);

CREATE TABLE api_key (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspace (id),
    name TEXT NOT NULL,
    secret_sha256 {bytes} NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT
);

CREATE TABLE api_key_grant (
    api_key_id TEXT NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
    resource TEXT NOT NULL,
    verb TEXT NOT NULL CHECK (verb IN ('read', 'write')),
    PRIMARY KEY (api_key_id, resource, verb)
);
