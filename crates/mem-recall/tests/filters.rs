//! What filters leave out: before anything is ranked, and each with what left it out.

use mem_recall::{
    Document, Facets, FilteredBy, RankFilter, RankOptions, Ranking, RecallIndex, RecallQuery,
    rank_documents,
};

/// The moment of every ranking here.
const NOW: i64 = 1_000_000;
const PROMPT: &str = "how do we deploy the billing cluster?";

/// A document that answers the prompt by the same words as every other.
fn document(key: &str, facets: Facets) -> Document {
    Document {
        key: key.into(),
        name: "Deploying the billing cluster".into(),
        description: "How to deploy billing".into(),
        body: "Run the migrations, then deploy the cluster.".into(),
        facets,
        ..Document::default()
    }
}

fn ranked(documents: &[Document], filter: RankFilter, limit: usize) -> Ranking {
    let mut index = RecallIndex::new();
    index.add_documents(documents);
    let options = RankOptions {
        limit,
        min_score: 0.0,
        now: NOW,
        filter,
        ..RankOptions::default()
    };
    rank_documents(&index, &RecallQuery::new(PROMPT), &options)
}

fn keys(ranking: &Ranking) -> Vec<&str> {
    let mut keys: Vec<&str> = ranking.hits.iter().map(|hit| hit.key.as_str()).collect();
    keys.sort_unstable();
    keys
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|&word| word.to_owned()).collect()
}

/// Of two documents that differ in one facet, the filter leaves `kept` and tells what left out `gone`.
fn keeps(filter: RankFilter, kept: Facets, gone: Facets, by: FilteredBy) {
    let documents = [document("kept", kept), document("gone", gone)];
    let ranking = ranked(&documents, filter, 5);
    assert_eq!(keys(&ranking), ["kept"], "{by:?}");
    let told: Vec<(&str, FilteredBy)> = ranking
        .filtered
        .iter()
        .map(|one| (one.key.as_str(), one.by))
        .collect();
    assert_eq!(told, [("gone", by)]);
    // The same two without the filter: it was the filter.
    let everything = RankFilter {
        expired: true,
        ..RankFilter::default()
    };
    let ranking = ranked(&documents, everything, 5);
    assert_eq!(keys(&ranking), ["gone", "kept"], "{by:?}");
    assert!(ranking.filtered.is_empty());
}

#[test]
fn each_kind_of_filter_leaves_out_and_says_so() {
    let facets = Facets::default;
    keeps(
        RankFilter {
            kinds: words(&["user", "Project"]),
            ..RankFilter::default()
        },
        Facets {
            kind: "project".into(),
            ..facets()
        },
        Facets {
            kind: "feedback".into(),
            ..facets()
        },
        FilteredBy::Kind,
    );
    keeps(
        RankFilter {
            scopes: words(&["team"]),
            ..RankFilter::default()
        },
        Facets {
            scope: "team".into(),
            ..facets()
        },
        Facets {
            scope: "private".into(),
            ..facets()
        },
        FilteredBy::Scope,
    );
    keeps(
        RankFilter {
            categories: words(&["ops"]),
            ..RankFilter::default()
        },
        Facets {
            category: "OPS".into(),
            ..facets()
        },
        facets(),
        FilteredBy::Category,
    );
    keeps(
        RankFilter {
            tags: words(&["slow", "release"]),
            ..RankFilter::default()
        },
        Facets {
            tags: words(&["web", "Release"]),
            ..facets()
        },
        Facets {
            tags: words(&["releases"]),
            ..facets()
        },
        FilteredBy::Tag,
    );
}

#[test]
fn importance_expiry_and_exclusion_leave_out_and_say_so() {
    let facets = Facets::default;
    let least = |value| RankFilter {
        min_importance: Some(value),
        ..RankFilter::default()
    };
    let importance = |value| Facets {
        importance: value,
        ..facets()
    };
    // What nobody rated counts as one half.
    let by = FilteredBy::Importance;
    keeps(least(0.5), importance(None), importance(Some(0.4)), by);
    keeps(least(0.6), importance(Some(0.6)), importance(None), by);
    let expires = |at| Facets {
        expires: Some(at),
        ..facets()
    };
    keeps(
        RankFilter::default(),
        expires(NOW + 1),
        expires(NOW),
        FilteredBy::Expired,
    );
    keeps(
        RankFilter {
            exclude: words(&["gone", "never there"]),
            ..RankFilter::default()
        },
        facets(),
        facets(),
        FilteredBy::Excluded,
    );
}

#[test]
fn every_condition_has_to_hold() {
    let facets = |kind: &str, scope: &str| Facets {
        kind: kind.into(),
        scope: scope.into(),
        ..Facets::default()
    };
    let documents = [
        document("both", facets("project", "team")),
        document("kind", facets("project", "private")),
        document("scope", facets("user", "team")),
    ];
    let filter = RankFilter {
        kinds: words(&["project"]),
        scopes: words(&["team"]),
        ..RankFilter::default()
    };
    let ranking = ranked(&documents, filter, 5);
    assert_eq!(keys(&ranking), ["both"]);
    assert_eq!(ranking.filtered.len(), 2);
}

#[test]
fn what_is_left_out_takes_no_place_among_the_best() {
    let mut documents: Vec<Document> = (0..20)
        .map(|i| {
            document(
                &format!("user{i:02}"),
                Facets {
                    kind: "user".into(),
                    ..Facets::default()
                },
            )
        })
        .collect();
    documents.push(Document {
        key: "project".into(),
        name: "Cluster".into(),
        facets: Facets {
            kind: "project".into(),
            ..Facets::default()
        },
        ..Document::default()
    });
    let filter = RankFilter {
        kinds: words(&["project"]),
        ..RankFilter::default()
    };
    let ranking = ranked(&documents, filter, 1);
    assert_eq!(keys(&ranking), ["project"]);
    assert_eq!(ranking.filtered.len(), 20);
    // It is the best of what may be ranked, and measured as such.
    assert!((ranking.hits[0].signals.lexical - 1.0).abs() < 1e-6);
}

#[test]
fn leaving_out_everything_is_no_abstention() {
    let documents = [document("one", Facets::default())];
    let filter = RankFilter {
        kinds: words(&["user"]),
        ..RankFilter::default()
    };
    let ranking = ranked(&documents, filter, 5);
    assert!(ranking.hits.is_empty() && !ranking.abstained);
    assert_eq!(ranking.filtered.len(), 1);
}

#[test]
fn only_what_is_below_a_folder_is_ranked() {
    let paths = [
        "/notes/a.md",
        "/notes/deep/b.md",
        "/notes-old/c.md",
        "/d.md",
    ];
    let documents = paths.map(|path| document(path, Facets::default()));
    let below = |folder: &str| {
        let filter = RankFilter {
            below: folder.to_owned(),
            ..RankFilter::default()
        };
        let ranking = ranked(&documents, filter, 5);
        assert!(ranking.filtered.is_empty());
        keys(&ranking).join(" ")
    };
    assert_eq!(below("/notes/"), "/notes/a.md /notes/deep/b.md");
    assert_eq!(below("/none/"), "");
    assert_eq!(
        below(""),
        "/d.md /notes-old/c.md /notes/a.md /notes/deep/b.md"
    );
}
