-- Why a version that is a deletion was made, where somebody said so.
ALTER TABLE memory_version ADD COLUMN reason TEXT;
