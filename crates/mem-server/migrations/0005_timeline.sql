-- The timeline of the PostgreSQL server that the epochs of stores belong to; none with SQLite.
ALTER TABLE database_life ADD COLUMN timeline BIGINT;
