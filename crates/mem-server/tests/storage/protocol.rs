//! What every remote has to do.

use mem_sync::remote::conformance;

use super::bed::Bed;

#[test]
fn sqlite_conforms() {
    let bed = Bed::new();
    let database = bed.open();
    conformance::check(&mut bed.end(&database, "a"), &mut bed.end(&database, "b")).unwrap();
}
