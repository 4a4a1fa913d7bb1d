//! Which languages a text may be in: by its letters, and by the small words that every sentence has.

use std::collections::HashMap;
use std::sync::LazyLock;

use mem_recall::lexicon::WordGroups;

/// The languages that rules are there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RuleLanguage {
    English,
    German,
    French,
    Spanish,
    Russian,
    Chinese,
    Japanese,
    Korean,
}

impl RuleLanguage {
    pub(super) const ALL: [Self; 8] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Russian,
        Self::Chinese,
        Self::Japanese,
        Self::Korean,
    ];
}

/// Languages of Latin letters, and by what their most frequent words are found.
const LATIN: [(RuleLanguage, &str); 4] = [
    (RuleLanguage::English, "en"),
    (RuleLanguage::German, "de"),
    (RuleLanguage::French, "fr"),
    (RuleLanguage::Spanish, "es"),
];
/// The most frequent words, as rules see them.
static SMALL_WORDS: WordGroups = WordGroups::of("small_words");

/// The languages that a text, as rules see it, may be in; none where it has no letters.
pub(super) fn detect_languages(plain: &str) -> Vec<RuleLanguage> {
    let (mut han, mut latin) = (false, false);
    for character in plain.chars() {
        match character {
            '\u{3040}'..='\u{30ff}' => return vec![RuleLanguage::Japanese],
            '\u{ac00}'..='\u{d7a3}' => return vec![RuleLanguage::Korean],
            '\u{400}'..='\u{4ff}' => return vec![RuleLanguage::Russian],
            '\u{3400}'..='\u{9fff}' => han = true,
            'a'..='z' | 'A'..='Z' => latin = true,
            _ => {}
        }
    }
    match (han, latin) {
        (true, _) => vec![RuleLanguage::Chinese],
        (false, true) => by_words(plain),
        (false, false) => Vec::new(),
    }
}

/// The languages most of whose small words a text has; all of them where it has none.
fn by_words(plain: &str) -> Vec<RuleLanguage> {
    let words = plain.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let known: Vec<_> = words.flat_map(|word| SMALL_WORDS.sides_of(word)).collect();
    let hits = LATIN.map(|(_, code)| known.iter().filter(|word| word.group == code).count());
    let most = hits.into_iter().max().unwrap_or_default();
    let likely = LATIN.iter().zip(hits).filter(|(_, hits)| *hits == most);
    likely.map(|((language, _), _)| *language).collect()
}

/// Characters of Traditional Chinese, each before its simplified form, as far as rules have them. From OpenCC's
/// `TSCharacters`.
const TRADITIONAL: &str = "\
    並并佈布併并來来係系個个們们備备傢家傳传優优兒儿內内兩两冊册凍冻別别刪删則则剛刚創创劃划動动務务匯汇\
    區区厭厌參参員员問问單单嗎吗噹当嚮向團团埰采執执堅坚報报塊块學学寀采實实審审寫写專专對对師师帶带幫帮\
    幾几庫库廢废強强彆别彈弹彔录彙汇後后從从復复徵征慣惯憶忆應应採采換换擇择擔担敗败數数於于時时暫暂曏向\
    書书會会朮术査查條条棄弃業业構构樣样檔档檢检權权歡欢氣气決决沒没測测準准溝沟滙汇潰溃為为無无煩烦爲为\
    現现產产産产當当發发監监盤盘確确碼码禪禅禮礼箇个範范簡简糰团約约細细紹绍終终組组結结絕绝給给統统絶绝\
    經经綫线維维網网線线編编縮缩總总繫系纔才義义習习翫玩職职脩修萬万蔘参號号術术衕同裏里裝装裡里製制複复\
    規规視视觸触訊讯討讨記记許许註注証证評评詢询試试話话該该認认語语誤误說说説说誰谁調调請请論论講讲證证\
    譯译護护變变讓让負负責责賴赖蹤踪較较辦办迴回這这週周進进運运過过遠远遷迁選选還还邊边釋释釘钉針针鈕钮\
    銷销錄录錯错錶表鍼针長长門门開开閤合闆板關关隊队隻只雲云韆千頁页項项須须類类顯显飛飞騰腾驗验體体髮发\
    鬚须麪面麫面麵面麼么麽么齣出";

/// A text with simplified characters where it is Chinese, as the rules are written.
pub(super) fn simplify_chinese(text: String) -> String {
    static FORMS: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
        let mut rest = TRADITIONAL.chars();
        std::iter::from_fn(|| rest.next().zip(rest.next())).collect()
    });
    match detect_languages(&text)[..] {
        [RuleLanguage::Chinese] => {
            let simple = |one: char| FORMS.get(&one).copied().unwrap_or(one);
            text.chars().map(simple).collect()
        }
        _ => text,
    }
}

/// A text with the letters of ASCII in the place of those with marks: words then end where ASCII letters do.
pub(super) fn fold_to_ascii(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => made.push('a'),
            'é' | 'è' | 'ê' | 'ë' => made.push('e'),
            'í' | 'ì' | 'î' | 'ï' => made.push('i'),
            'ó' | 'ò' | 'ô' | 'ö' | 'õ' => made.push('o'),
            'ú' | 'ù' | 'û' | 'ü' => made.push('u'),
            'ñ' => made.push('n'),
            'ç' => made.push('c'),
            'ß' => made.push_str("ss"),
            'œ' => made.push_str("oe"),
            'ё' => made.push('е'),
            other => made.push(other),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_small_words_tell_the_language() {
        assert_eq!(detect_languages("テストは必ず"), [RuleLanguage::Japanese]);
        assert_eq!(detect_languages("测试用 pytest"), [RuleLanguage::Chinese]);
        assert_eq!(detect_languages("테스트는 pytest"), [RuleLanguage::Korean]);
        assert_eq!(detect_languages("тесты на pytest"), [RuleLanguage::Russian]);
        assert_eq!(
            detect_languages("we never mock the database"),
            [RuleLanguage::English]
        );
        assert_eq!(
            detect_languages("wir mocken die datenbank nie"),
            [RuleLanguage::German]
        );
        assert_eq!(
            detect_languages("on n'utilise pas de mocks"),
            [RuleLanguage::French]
        );
        assert_eq!(
            detect_languages("no usamos mocks en las pruebas"),
            [RuleLanguage::Spanish]
        );
        assert_eq!(detect_languages("pnpm!").len(), LATIN.len());
        assert!(detect_languages("123 !?").is_empty());
    }
}
