//! The words by which a sentence shows what it is about, what it says of that, and that something changed.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words of a kind.
pub(super) type Words = LazyLock<HashSet<&'static str>>;

fn set(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

/// Something is something: there is one answer at a time.
pub(super) static IS: Words = LazyLock::new(|| {
    set("\
        is are was were equals lives live sits runs listens points moved moves becomes \
        became changed changes switched switches starts ends lasts happens happen takes \
        costs expires closes opens renamed migrated goes stays remains slipped belongs \
        resides ships returns defaults reads bumped raised lowered rises dropped stands = \
        ist sind liegt läuft es está son est sont")
});
/// One of several: more may be true at once.
pub(super) static HAS: Words = LazyLock::new(|| {
    set("\
        has have had needs need wants want likes like knows know supports requires contains \
        provides lacks includes accepts sends")
});
/// Who answers for something.
pub(super) static OWNS: Words = LazyLock::new(|| {
    set("\
        owns own owned leads lead led maintains maintain manages manage handles handle \
        reviews approves coordinates")
});
/// A choice among several.
pub(super) static USES: Words = LazyLock::new(|| {
    set("\
        use uses using used chose choose chosen picked adopted adopt selected prefer prefers prefered preferred prefiere benutze benutzen \
        verwende verwenden nutze nutzen usa usar utilise utiliser")
});
/// Where what a choice is for begins.
pub(super) static FOR: Words = LazyLock::new(|| {
    set("\
        for in on when as during für para pour within across")
});
/// Where the reason begins: it is not compared.
pub(super) static REASON: Words = LazyLock::new(|| {
    set("\
        because since weil porque parce due so — – -- -")
});
/// No.
pub(super) static NO: Words = LazyLock::new(|| {
    set("\
        not never no dont doesnt isnt arent wont cant cannot stop stopped avoid without \
        shouldnt mustnt wasnt nicht nie kein keine nunca jamais neither forbidden nobody")
});
/// That it was otherwise before.
pub(super) static CHANGE: Words = LazyLock::new(|| {
    set("\
        now moved changed switched instead longer anymore correction actually update updated \
        renamed migrated replaced replaces became slipped postponed rescheduled bumped \
        raised lowered dropped took jetzt geändert ahora maintenant revised corrected \
        reverted extended pushed delayed")
});
/// Beside what is known, not in its place.
pub(super) static BESIDE: Words = LazyLock::new(|| {
    set("\
        also additionally too another plus besides auch también aussi")
});
/// Words that carry nothing of what is compared.
pub(super) static EMPTY: Words = LazyLock::new(|| {
    set("\
        now currently moved changed switched instead longer anymore correction actually \
        update updated still already again became becomes today always please remember note \
        decided decision agreed confirmed der die das den dem des ein eine und im am zum zur \
        wir el la los las un una de del que y le les une du et user person per via upon \
        shall must should new slipped took postponed rescheduled bumped raised lowered \
        extended pushed delayed revised corrected never avoid stop stopped renamed replaced")
});
/// What something is changed by, with the thing behind it: `raised the limit from 5 to 10`.
pub(super) static TURNS: Words = LazyLock::new(|| {
    set("\
        raised lowered moved changed switched renamed bumped extended migrated postponed \
        rescheduled pushed increased decreased reduced set reset updated slipped shifted \
        upgraded downgraded")
});
/// Where something is: a thing and its place are one subject.
pub(super) static PLACES: Words = LazyLock::new(|| {
    set("\
        region locat zone host place locate")
});
/// Where a place or a time is said.
pub(super) static AT: Words = LazyLock::new(|| {
    set("\
        in on at to under behind by from every as")
});
/// A thing has one of these at a time.
pub(super) static ONE_OF: Words = LazyLock::new(|| {
    set("\
        owner lead manager contact maintainer reviewer approver oncall on-call deadline date \
        port version timeout limit database db region url channel window day host cadence \
        budget default branch name codename address email path location provider vendor \
        schedule time interval quota size count threshold target goal framework language \
        runner registry domain endpoint freeze retention ttl rate capacity tier role title \
        timezone editor shell theme format style policy frequency rotation zone dashboard \
        tracker board runbook level price cost expiry standup sponsor id")
});
/// Words before a colon that only say what kind of entry follows.
pub(super) static LABELS: Words = LazyLock::new(|| {
    set("\
        decision note fyi remember user info fact preference feedback project reference \
        reminder tip learned learning til context pointer")
});
/// The same, and that something before it was wrong.
pub(super) static CORRECTIONS: Words = LazyLock::new(|| {
    set("\
        correction update updated edit korrektur")
});
/// Work in progress at the beginning of an entry: done with when it is done.
pub(super) static ACTIVITY: Words = LazyLock::new(|| {
    set("\
        fixed fixing ran running looked looking reviewed reviewing merged merging rebased \
        debugged debugging investigated investigating wip todo started starting finished \
        finishing tried trying checked checking tested testing refactored refactoring \
        cleaned wrote writing read reading pushed committed opened closed deployed restarted \
        reran rerunning paired pairing discussed bumped renaming added adding removed \
        removing updated updating lunch coffee break meeting standup synced triaged waiting \
        waited continued continuing working worked helped chased skimmed cherry-picked \
        bisected profiled retried poked")
});
