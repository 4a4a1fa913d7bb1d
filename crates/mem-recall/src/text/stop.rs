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

/// Characters of Chinese and Korean that hold a sentence together: pronouns, particles, endings, words
/// of asking and of courtesy. Sorted.
const BONDS: &str = "\
    \u{4e00}\u{4e0b}\u{4e0d}\u{4e0e}\u{4e2a}\u{4e3a}\u{4e48}\u{4e5f}\u{4e86}\u{4e9b}\u{4ec0}\u{4ece}\
    \u{4ed6}\u{4ee5}\u{4eec}\u{4f1a}\u{4f60}\u{500b}\u{5011}\u{518d}\u{51e0}\u{5230}\u{53ef}\u{5417}\
    \u{5427}\u{5462}\u{548c}\u{54ea}\u{554a}\u{55ce}\u{5728}\u{5979}\u{5b83}\u{5bf9}\u{5c0d}\u{5c31}\
    \u{5e2e}\u{5e6b}\u{5f88}\u{5f97}\u{5f9e}\u{600e}\u{60a8}\u{6211}\u{6216}\u{628a}\u{662f}\u{6703}\
    \u{6709}\u{6837}\u{6c92}\u{6ca1}\u{70ba}\u{7684}\u{7740}\u{7ed9}\u{80fd}\u{8207}\u{88ab}\u{88e1}\
    \u{8981}\u{8acb}\u{8ba9}\u{8bf7}\u{8c01}\u{8fc7}\u{8fd8}\u{8fd9}\u{9019}\u{904e}\u{90a3}\u{90fd}\
    \u{91cc}\u{9ebc}\u{ac00}\u{ac8c}\u{ace0}\u{acfc}\u{ae4c}\u{b098}\u{b124}\u{b294}\u{b2c8}\u{b2e4}\
    \u{b3c4}\u{b418}\u{b5bb}\u{b85c}\u{b97c}\u{ba74}\u{bb34}\u{bb50}\u{c11c}\u{c138}\u{c2b5}\u{c5b4}\
    \u{c5c6}\u{c5c7}\u{c5d0}\u{c640}\u{c65c}\u{c694}\u{c740}\u{c744}\u{c758}\u{c774}\u{c788}\u{c880}\
    \u{c8fc}\u{c918}\u{c9c0}\u{d558}\u{d55c}\u{d560}\u{d569}\u{d574}";

/// Whether a character or pair of a script without spaces says nothing about a subject: Hiragana is
/// what Japanese writes its endings in.
pub(super) fn is_bond(gram: &str) -> bool {
    let bond = |c: char| ('\u{3041}'..='\u{309f}').contains(&c) || BONDS.contains(c);
    !gram.is_empty() && gram.chars().all(bond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(STOP.is_sorted());
        assert!(BONDS.chars().is_sorted());
    }

    #[test]
    fn pairs_that_only_bind_say_nothing() {
        for bond in [
            "\u{8fd9}\u{4e2a}",
            "\u{3060}\u{3055}",
            "\u{c138}\u{c694}",
            "\u{7684}",
        ] {
            assert!(is_bond(bond), "{bond}");
        }
        for subject in [
            "\u{7f13}\u{5b58}",
            "\u{7684}\u{7f13}",
            "\u{30ed}\u{30b0}",
            "\u{c815}\u{c0b0}",
            "x",
            "",
        ] {
            assert!(!is_bond(subject), "{subject}");
        }
    }
}
