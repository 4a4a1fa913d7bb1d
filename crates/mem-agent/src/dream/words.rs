//! The words by which a sentence shows what it is about, what it says of that, and that something changed.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use mem_recall::text::fold_word;
use mem_recall::versus::denial;

/// Words of a kind, as they are compared: in lower case and without accents.
pub(super) type Words = LazyLock<HashSet<String>>;

fn word_set(words: &str) -> HashSet<String> {
    let folded = |word: &str| {
        let mut low = String::with_capacity(word.len());
        fold_word(word, &mut low);
        low
    };
    words.split_whitespace().map(folded).collect()
}

/// A day of the week as it is compared, in whatever language: as a figure of a shape of its own.
pub(super) fn weekday_token(day: u8) -> String {
    format!("~{day}")
}

/// Something is something: there is one answer at a time.
pub(super) static IS: Words = LazyLock::new(|| {
    word_set(
        "\
        is are was were equals lives live sits runs listens points moved moves becomes \
        became changed changes switched switches starts ends lasts happens happen takes \
        costs expires closes opens renamed migrated goes stays remains slipped belongs \
        resides ships returns defaults reads bumped raised lowered rises dropped stands = \
        ist sind liegt liegen läuft laufen lautet heißt heißen es está son llama llaman \
        corre est sont tourne appelle appellent",
    )
});
/// One of several: more may be true at once.
pub(super) static HAS: Words = LazyLock::new(|| {
    word_set(
        "\
        has have had needs need wants want likes like knows know supports requires contains \
        provides lacks includes accepts sends",
    )
});
/// Who answers for something.
pub(super) static OWNS: Words = LazyLock::new(|| {
    word_set(
        "\
        owns own owned leads lead led maintains maintain manages manage handles handle \
        reviews approves coordinates",
    )
});
/// Of those what more than one may do for the same thing.
pub(super) static SHARED: Words = LazyLock::new(|| {
    word_set(
        "\
        reviews approves coordinates handles handle maintains maintain",
    )
});
/// A choice among several.
pub(super) static USES: Words = LazyLock::new(|| {
    word_set(
        "\
        use uses using used chose choose chosen picked adopted adopt selected prefer prefers prefered preferred prefiere benutze benutzen \
        benutzt verwende verwenden verwendet nutze nutzen nutzt usa usan usamos usar utilizamos \
        utilise utilisent utilisons utiliser",
    )
});
/// Where what a choice is for begins.
pub(super) static FOR: Words = LazyLock::new(|| {
    word_set(
        "\
        for in on when as during für para pour within across",
    )
});
/// Where the reason begins: it is not compared.
pub(super) static REASON: Words = LazyLock::new(|| {
    word_set(
        "\
        because since weil porque parce car due so — – -- -",
    )
});
/// What only says that something is.
pub(super) static BARE: Words =
    LazyLock::new(|| word_set("is are was were ist sind es est esta son sont"));
/// Behind these stands for what, where or by whom a sentence holds.
pub(super) static WHERE: Words = LazyLock::new(|| {
    word_set(
        "\
        in on for by under during within im beim bei auf für unter durch en para por dans sur \
        pour par chez",
    )
});
/// What narrows a sentence: without it something else is said.
pub(super) static LIMITS: Words = LazyLock::new(|| {
    word_set(
        "\
        only except unless until before after if without most some all every nur außer \
        bis vor nach falls ohne solo salvo hasta antes después si sin seulement sauf avant \
        après sans",
    )
});
/// That it was otherwise before.
pub(super) static CHANGE: Words = LazyLock::new(|| {
    word_set(
        "\
        now moved changed switched instead longer anymore correction actually update updated \
        renamed migrated replaced replaces became slipped postponed rescheduled bumped \
        raised lowered dropped took revised corrected reverted extended pushed delayed \
        jetzt inzwischen mittlerweile neuerdings künftig geändert verschoben gewechselt \
        umgestellt ersetzt umbenannt umgezogen korrigiert ahora cambió cambiado reemplazado \
        maintenant désormais dorénavant remplacé déplacé",
    )
});
/// Beside what is known, not in its place.
pub(super) static BESIDE: Words = LazyLock::new(|| {
    word_set(
        "\
        also additionally too another plus besides auch también aussi",
    )
});
/// Words that carry nothing of what is compared.
pub(super) static EMPTY: Words = LazyLock::new(|| {
    word_set(
        "\
        now currently moved changed switched instead longer anymore correction actually \
        update updated still already again became becomes today always please remember note \
        decided decision agreed confirmed der die das den dem des ein eine und im am zum zur \
        wir el la los las un una de del que y le les une du et user person per via upon \
        shall must should new slipped took postponed rescheduled bumped raised lowered \
        extended pushed delayed revised corrected never avoid stop stopped renamed replaced \
        jetzt inzwischen mittlerweile neuerdings künftig nicht nie kein keine mehr nur noch statt \
        anstatt anstelle sondern für bei auf um von vom zu uhr sich neu neue neuer neues \
        ahora ya nunca lugar vez sino para por nuestro nuestra nuevo nueva los \
        maintenant désormais dorénavant ne pas jamais lieu mais pour avec nous notre nos \
        nouveau nouvelle",
    )
    .into_iter()
    .chain(word_set(denial::NOT))
    .chain(word_set(denial::SHUN))
    .collect()
});
/// What something is changed by, with the thing behind it: `raised the limit from 5 to 10`.
pub(super) static TURNS: Words = LazyLock::new(|| {
    word_set(
        "\
        raised lowered moved changed switched renamed bumped extended migrated postponed \
        rescheduled pushed increased decreased reduced set reset updated slipped shifted \
        upgraded downgraded",
    )
});
/// Where something is: a thing and its place are one subject.
pub(super) static PLACES: Words = LazyLock::new(|| {
    word_set(
        "\
        region locat zone host place locate",
    )
});
/// Where a place or a time is said.
pub(super) static AT: Words = LazyLock::new(|| {
    word_set(
        "\
        in on at to under behind by from every as",
    )
});
/// A thing has one of these at a time.
pub(super) static ONE_OF: Words = LazyLock::new(|| {
    word_set(
        "\
        owner lead manager contact maintainer reviewer approver oncall on-call deadline date \
        port version timeout limit database db region url channel window day host cadence \
        budget default branch name codename address email path location provider vendor \
        schedule time interval quota size count threshold target goal framework language \
        runner registry domain endpoint freeze retention ttl rate capacity tier role title \
        timezone editor shell theme format style policy frequency rotation zone dashboard \
        tracker board runbook level price cost expiry standup sponsor id",
    )
});
/// Words before a colon that only say what kind of entry follows.
pub(super) static LABELS: Words = LazyLock::new(|| {
    word_set(
        "\
        decision note fyi remember user info fact preference feedback project reference \
        reminder tip learned learning til context pointer",
    )
});
/// The same, and that something before it was wrong.
pub(super) static CORRECTIONS: Words = LazyLock::new(|| {
    word_set(
        "\
        correction update updated edit korrektur corrección corrige rectification",
    )
});
/// What a name is told by behind `is`: a thing has one.
pub(super) static NAMED: Words = LazyLock::new(|| word_set("called named titled"));
/// Behind the same words these tell how often and when.
pub(super) static TIMES: Words = LazyLock::new(|| {
    word_set(
        "\
        once twice thrice often only when whenever if before after during with for and",
    )
});
/// The same in a word of its own.
pub(super) static NAMES: Words = LazyLock::new(|| {
    word_set(
        "\
        heißt heißen llama llaman appelle appellent",
    )
});
/// What stands between a thing that holds no longer and the rest of the sentence.
pub(super) static BREAKS: Words = LazyLock::new(|| {
    word_set(
        "\
        to with by for in on at and because but für mit in auf um weil und sondern para por en \
        con y porque sino pour par avec et mais a the der die das den dem of de del la las los le les",
    )
});
/// The days of the week, each by the number that is compared.
pub(super) static WEEKDAYS: LazyLock<HashMap<String, u8>> = LazyLock::new(|| {
    let days = [
        "monday mondays montag montags lunes lundi lundis",
        "tuesday tuesdays dienstag dienstags martes mardi mardis",
        "wednesday wednesdays mittwoch mittwochs miércoles mercredi mercredis",
        "thursday thursdays donnerstag donnerstags jueves jeudi jeudis",
        "friday fridays freitag freitags viernes vendredi vendredis",
        "saturday saturdays samstag samstags sonnabend sábado sábados samedi samedis",
        "sunday sundays sonntag sonntags domingo domingos dimanche dimanches",
    ];
    let numbered = days.iter().zip(1..);
    let numbered =
        numbered.flat_map(|(names, day)| word_set(names).into_iter().map(move |one| (one, day)));
    numbered.collect()
});
/// Work in progress at the beginning of an entry: done with when it is done.
pub(super) static ACTIVITY: Words = LazyLock::new(|| {
    word_set(
        "\
        fixed fixing ran running looked looking reviewed reviewing merged merging rebased \
        debugged debugging investigated investigating wip todo started starting finished \
        finishing tried trying checked checking tested testing refactored refactoring \
        cleaned wrote writing read reading pushed committed opened closed deployed restarted \
        reran rerunning paired pairing discussed bumped renaming added adding removed \
        removing updated updating lunch coffee break meeting standup synced triaged waiting \
        waited continued continuing working worked helped chased skimmed cherry-picked \
        bisected profiled retried poked",
    )
});
