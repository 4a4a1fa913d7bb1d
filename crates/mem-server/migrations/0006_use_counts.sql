-- What each replica has let through, so that a limit holds for all of them together. A row is written by one replica.
CREATE TABLE use_count (
    name TEXT NOT NULL,
    replica TEXT NOT NULL,
    used BIGINT NOT NULL,
    seen_at BIGINT NOT NULL DEFAULT ({now_us}),
    PRIMARY KEY (name, replica)
);

CREATE INDEX use_count_by_time ON use_count (seen_at);
