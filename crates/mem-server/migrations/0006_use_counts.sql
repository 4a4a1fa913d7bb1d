-- What each replica has let through, so that a limit holds for all of them together. A row is written by one replica.
CREATE TABLE use_count (
    name TEXT NOT NULL,
    replica TEXT NOT NULL,
    used BIGINT NOT NULL,
    -- By the database's clock.
    ends_at BIGINT NOT NULL,
    PRIMARY KEY (name, replica)
);

CREATE INDEX use_count_by_end ON use_count (ends_at);
