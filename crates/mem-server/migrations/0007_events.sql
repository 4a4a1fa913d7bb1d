-- Webhooks, and the events that wait for them.

-- `event_types` are separated by spaces; `*` is every type. A webhook that is disabled gets nothing.
CREATE TABLE webhook (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    description TEXT NOT NULL,
    event_types TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    disabled_at BIGINT,
    last_attempt_at BIGINT,
    last_outcome TEXT
);

CREATE INDEX webhook_by_workspace ON webhook (workspace_id);

-- What deliveries are signed with. Where contents are encrypted, `secret` is sealed under a data key of its own, which
-- the master key `master_id` wraps; else it is plain.
CREATE TABLE webhook_secret (
    id TEXT NOT NULL PRIMARY KEY,
    webhook_id TEXT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    secret {bytes} NOT NULL,
    master_id TEXT,
    wrapped {bytes},
    created_at BIGINT NOT NULL,
    expires_at BIGINT
);

CREATE INDEX webhook_secret_by_webhook ON webhook_secret (webhook_id);

-- The outbox: one row for each event and webhook, written in the transaction of the change and deleted once it is
-- delivered. `due_at` is a server's time, `lease_ends_at` the database's.
CREATE TABLE event_delivery (
    id TEXT NOT NULL PRIMARY KEY,
    webhook_id TEXT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    store_id TEXT NOT NULL,
    path {path},
    version_id TEXT,
    detail TEXT,
    actor_kind TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    owner TEXT,
    lease_ends_at BIGINT NOT NULL,
    dead_at BIGINT,
    last_outcome TEXT
);

CREATE INDEX event_delivery_due ON event_delivery (webhook_id, due_at) WHERE dead_at IS NULL;
CREATE INDEX event_delivery_dead ON event_delivery (webhook_id, dead_at) WHERE dead_at IS NOT NULL;
CREATE INDEX event_delivery_by_store ON event_delivery (store_id);

-- What administrators did beside a server, until a server with an audit log has written it there.
CREATE TABLE administration (
    id TEXT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    action TEXT NOT NULL,
    resource TEXT NOT NULL,
    lease_ends_at BIGINT NOT NULL
);
