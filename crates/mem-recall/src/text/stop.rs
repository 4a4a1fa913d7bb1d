//! Words that every prompt has: they are in the index, but a query leaves them out while it has
//! anything else to say.

/// Sorted, folded, without apostrophes.
const STOP: &[&str] = &[
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at",
    "be", "because", "been", "before", "being", "between", "both", "but", "by", "can", "cannot",
    "cant", "could", "couldnt", "did", "didnt", "do", "does", "doesnt", "doing", "done", "dont",
    "down", "each", "else", "etc", "ever", "every", "few", "for", "from", "further", "get", "gets",
    "getting", "give", "go", "going", "gonna", "got", "had", "has", "have", "havent", "having",
    "he", "hello", "help", "her", "here", "hers", "hey", "hi", "him", "his", "how", "i", "id",
    "if", "ill", "im", "in", "into", "is", "isnt", "it", "its", "ive", "just", "know", "let",
    "lets", "like", "me", "might", "more", "most", "much", "must", "my", "need", "needs", "no",
    "nor", "not", "now", "of", "off", "ok", "okay", "on", "once", "only", "or", "other", "our",
    "out", "over", "own", "please", "s", "same", "shall", "she", "should", "so", "some", "such",
    "t", "tell", "than", "thank", "thanks", "that", "thats", "the", "their", "them", "then",
    "there", "these", "they", "thing", "this", "those", "though", "through", "to", "too", "under",
    "until", "up", "us", "very", "want", "wants", "was", "wasnt", "we", "well", "were", "weve",
    "what", "whats", "when", "where", "which", "while", "who", "whom", "whose", "why", "will",
    "with", "wont", "would", "wouldnt", "yes", "yet", "you", "your", "youre",
];

/// Whether a folded word says nothing about a subject.
pub fn is_stop(word: &str) -> bool {
    STOP.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(STOP.is_sorted());
    }
}
