//! The server of shared memory: storage, access and the team protocol over HTTP.
