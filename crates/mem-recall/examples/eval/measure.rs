//! Ranks and the figures made from them.

use std::collections::BTreeMap;

use mem_recall::encoder::Encoder;
use mem_recall::{
    Document, RankOptions, RankWeights, Ranking, RecallIndex, RecallQuery, rank_documents,
};

/// A query and the documents that answer it; none where nothing fits.
pub(crate) struct Case {
    pub(crate) prompt: String,
    pub(crate) gold: Vec<String>,
    pub(crate) kind: String,
    pub(crate) half: String,
}

/// An index with the queries asked of it.
pub(crate) struct Corpus {
    pub(crate) index: RecallIndex,
    pub(crate) cases: Vec<Case>,
    pub(crate) encoder: Option<&'static Encoder>,
    pub(crate) weights: RankWeights,
}

impl Corpus {
    pub(crate) fn new(
        documents: &[Document],
        cases: Vec<Case>,
        encoder: Option<&'static Encoder>,
    ) -> Self {
        let mut index = RecallIndex::new();
        index.add_documents(documents);
        if let Some(encoder) = encoder {
            for document in documents {
                index.encode_documents(std::slice::from_ref(document), encoder, 1);
            }
        }
        Self {
            index,
            cases,
            encoder,
            weights: RankWeights::default(),
        }
    }

    pub(crate) fn query(&self, prompt: &str) -> RecallQuery {
        let query = RecallQuery::new(prompt);
        match self.encoder {
            Some(_) => query.with_encoding_by(self.encoder),
            None => query,
        }
    }

    /// The best `limit` without abstention.
    pub(crate) fn rank(&self, prompt: &str, limit: usize) -> Ranking {
        let options = RankOptions {
            limit,
            min_score: 0.0,
            weights: self.weights,
            ..RankOptions::default()
        };
        rank_documents(&self.index, &self.query(prompt), &options)
    }
}

#[derive(Default, Clone, Copy)]
struct Sums {
    queries: f64,
    at_1: f64,
    at_5: f64,
    at_10: f64,
    reciprocal: f64,
    gain: f64,
}

impl Sums {
    /// Recall counts the share of the gold documents that are found.
    fn add(&mut self, keys: &[&str], gold: &[String]) {
        let places: Vec<usize> = (0..keys.len())
            .filter(|&i| gold.iter().any(|g| g == keys[i]))
            .collect();
        let found = |k: usize| places.iter().filter(|&&p| p < k).count() as f64 / gold.len() as f64;
        let discount = |place: usize| 1.0 / ((place + 2) as f64).log2();
        let ideal: f64 = (0..gold.len().min(10)).map(discount).sum();
        self.queries += 1.0;
        self.at_1 += found(1);
        self.at_5 += found(5);
        self.at_10 += found(10);
        self.reciprocal += places.first().map_or(0.0, |&p| 1.0 / (p + 1) as f64);
        self.gain += places
            .iter()
            .filter(|&&p| p < 10)
            .map(|&p| discount(p))
            .sum::<f64>()
            / ideal;
    }

    fn print(&self, name: &str) {
        let share = |sum: f64| 100.0 * sum / self.queries;
        let figures = [self.at_1, self.at_5, self.at_10, self.reciprocal, self.gain].map(share);
        let [a, b, c, d, e] = figures;
        println!(
            "{name:26} {:5} {a:7.1} {b:7.1} {c:7.1} {d:7.1} {e:7.1}",
            self.queries
        );
    }
}

/// The figures by kind and over all.
#[derive(Default)]
pub(crate) struct Figures {
    kinds: BTreeMap<String, Sums>,
    all: Sums,
}

impl Figures {
    /// Ranks for a question, and counts where its gold is.
    pub(crate) fn add_case(&mut self, corpus: &Corpus, case: &Case) {
        let ranking = corpus.rank(&case.prompt, 100);
        let keys: Vec<&str> = ranking.hits.iter().map(|hit| hit.key.as_str()).collect();
        let sums = self.kinds.entry(case.kind.clone()).or_default();
        sums.add(&keys, &case.gold);
        self.all.add(&keys, &case.gold);
    }

    /// Prints a line a kind, and one over all.
    pub(crate) fn print(&self) {
        println!(
            "{:26} {:>5} {:>7} {:>7} {:>7} {:>7} {:>7}",
            "kind", "n", "R@1", "R@5", "R@10", "MRR", "nDCG"
        );
        for (kind, sums) in &self.kinds {
            sums.print(kind);
        }
        self.print_all("all");
    }

    /// Prints the line over all.
    pub(crate) fn print_all(&self, name: &str) {
        self.all.print(name);
    }
}

/// Prints the figures of the questions that something answers.
pub(crate) fn report(corpus: &Corpus, cases: &[&Case]) {
    let mut figures = Figures::default();
    for case in cases.iter().filter(|case| !case.gold.is_empty()) {
        figures.add_case(corpus, case);
    }
    figures.print();
}
