//! The least that a server can do: axum, one route, the body back.

use axum::Router;
use axum::body::Bytes;
use axum::routing::any;
use tokio::net::TcpListener;

use crate::Outcome;

/// Serves until it is killed; the first line says where.
pub(crate) async fn serve() -> Outcome<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    let routes = Router::new().fallback(any(async |body: Bytes| body));
    Ok(axum::serve(listener, routes).await?)
}
