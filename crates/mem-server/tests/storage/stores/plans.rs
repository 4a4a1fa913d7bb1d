//! What a page costs PostgreSQL: the rows that it shows, however many there are and however little is known of them.

use futures_util::future::join_all;
use mem_server::storage::stores::MemoryQuery;
use mem_server::storage::{Database, DatabaseAddress};
use secrecy::ExposeSecret as _;
use sqlx::{Connection as _, Executor as _, PgConnection};

use super::super::fixture::Fixture;
use super::{all, create, store};

const MEMORIES: usize = 600;
const PAGES: i64 = 25;
const PAGE: u32 = 20;
/// Many stores of few memories, made of the one that is there: what a plan for all stores is made for.
const SMALL_STORES: &str = "INSERT INTO memory_store \
    SELECT (jsonb_populate_record(s, jsonb_build_object('id', 'memstore_' || n))).* \
    FROM memory_store s, generate_series(1, 150) n; \
    INSERT INTO memory SELECT (jsonb_populate_record(m, jsonb_build_object('id', 'mem_' || s || '_' || n, \
    'store_id', 'memstore_' || s, 'path', '/' || n, 'path_folded', '/' || n))).* \
    FROM memory m, generate_series(1, 150) s, generate_series(1, 20) n;";
/// What is known of the tables stays as it is now.
const KNOWN: &str = "ALTER TABLE memory SET (autovacuum_enabled = off); ANALYZE";

/// Rows of memories that were read so far, by whoever has hung up.
async fn rows_read(raw: &mut PgConnection) -> i64 {
    let others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                  AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
    while sqlx::query_scalar::<_, i64>(others)
        .fetch_one(&mut *raw)
        .await
        .unwrap()
        > 0
    {}
    let read = "SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint \
                FROM pg_stat_user_tables WHERE relname = 'memory'";
    sqlx::query_scalar(read).fetch_one(raw).await.unwrap()
}

async fn fill(database: &Database) -> String {
    let id = store(database, "large").await.id;
    let paths: Vec<String> = (0..MEMORIES)
        .map(|number| format!("/f{}/n{number}.md", number % 7))
        .collect();
    let made = paths.iter().map(|path| create(database, &id, path, "text"));
    for one in join_all(made).await {
        one.unwrap();
    }
    id
}

#[test]
fn a_page_reads_its_rows_and_not_the_store() {
    let Some(fixture) = Fixture::postgres() else {
        return;
    };
    let DatabaseAddress::Url(url) = &fixture.place else {
        panic!("a folder")
    };
    fixture.runtime.block_on(async {
        let database = fixture.opened().await;
        let small = store(&database, "small").await.id;
        create(&database, &small, "/one.md", "text").await.unwrap();
        let mut raw = PgConnection::connect(url.expose_secret()).await.unwrap();
        for sql in [SMALL_STORES, KNOWN] {
            raw.execute(sqlx::raw_sql(sql)).await.unwrap();
        }
        let large = fill(&database).await;
        database.close().await;
        let before = rows_read(&mut raw).await;

        let database = fixture.opened().await;
        let mut query = MemoryQuery {
            limit: PAGE,
            ..MemoryQuery::default()
        };
        for _ in 0..PAGES {
            let page = database.memories(&all(), &large, &query).await.unwrap();
            assert_eq!(page.items.len(), PAGE as usize);
            query.after = page.next;
        }
        database.close().await;
        let read = rows_read(&mut raw).await - before;
        let shown = PAGES * i64::from(PAGE);
        assert!(
            (shown..=shown + 2 * PAGES).contains(&read),
            "{read} for {shown}"
        );
    });
}
