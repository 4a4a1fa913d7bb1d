-- Contents in object storage. `memory_version.codec` has 2 added where `content` is a reference to one.

-- What may be there: a row is committed before its object is written, and goes after the object is deleted. Without a
-- version the object is to be deleted.
CREATE TABLE stored_object (
    name TEXT NOT NULL PRIMARY KEY,
    version_id TEXT REFERENCES memory_version (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX stored_object_by_version ON stored_object (version_id);
