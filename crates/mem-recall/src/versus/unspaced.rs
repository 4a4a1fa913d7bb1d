//! The same of Chinese, Japanese and Korean, whose words nobody divides: what turns a statement round is taken out
//! of it, and what is left is compared.

use super::denial::unspaced::{ANY_MORE, CEASED, FREED, MAY, NO, YES};
use super::opposed::Says;
use super::{StatementRelation, turned};
use crate::text::{fold_word, is_unspaced};

/// Two words of which one says the contrary of the other.
const AXES: [(&str, &str); 10] = [
    (
        "开启|启用|打开|啟用|有効|オン|활성화|켜짐",
        "关闭|禁用|停用|無効|オフ|비활성화|꺼짐",
    ),
    ("之前|以前|前に|전에", "之后|以后|後に|후에"),
    ("上午|午前|오전", "下午|午後|오후"),
    ("以上|高于|超过|이상", "以下|低于|不到|이하"),
    ("包括|包含|含む|포함", "不包括|不包含|排除|除く|제외"),
    ("上线|オンライン|온라인", "下线|オフライン|오프라인"),
    ("公开|公開|공개", "私有|非公開|비공개"),
    ("必须|必須|필수", "可选|任意|선택"),
    ("开着|开放|開いて|열림", "关着|閉じて|닫힘"),
    ("左", "右"),
];
/// Those of them that say when or how much something holds.
const BESIDE: std::ops::Range<usize> = 1..4;
/// Two ends of one thing, and two places: what is said of the one is not said of the other.
const ENDS: [(&str, &str); 7] = [
    ("最小|最低|最少|최소", "最大|最高|最多|최대"),
    (
        "开门|开店|開きます|開く|開店|엽니다|연다|열립니다",
        "关门|关店|閉まります|閉まる|閉店|닫습니다|닫는다|닫힙니다",
    ),
    ("开始|開始|始まり|시작", "结束|結束|終了|終わり|종료|끝"),
    (
        "测试环境|测试服务器|テスト環境|検証環境|ステージング|테스트 서버|테스트 환경|스테이징",
        "生产环境|生产服务器|正式环境|本番|운영",
    ),
    (
        "主库|主数据库|プライマリ|프라이머리",
        "从库|只读副本|副本|レプリカ|레플리카",
    ),
    ("上传|アップロード|업로드", "下载|ダウンロード|다운로드"),
    ("早上|朝|아침", "晚上|夜|저녁"),
];
/// So much of a shorter text has to be shared before another thing is told in it.
const SHARED_CHARS_MIN: usize = 2;

/// Such a text without what turns it round.
#[derive(Clone, Debug)]
pub(super) struct Unspaced {
    rest: Vec<char>,
    /// The same without what joins its words.
    bare: Vec<char>,
    /// What is done or used, of Korean.
    objects: Vec<String>,
    says: Says,
    ceases: bool,
    /// Of each pair, which word it has.
    sides: [Option<bool>; AXES.len()],
    ends: [Option<bool>; ENDS.len()],
}

impl Unspaced {
    /// Nothing for a text of another script.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        if !text.chars().any(is_unspaced) {
            return None;
        }
        let mut low = String::with_capacity(text.len());
        fold_word(text, &mut low);
        let mut ends = [None; ENDS.len()];
        for ((one, other), end) in ENDS.iter().zip(&mut ends) {
            *end = pair_side(contains_any(&low, one), contains_any(&low, other));
        }
        let is_freed = remove_words(&mut low, FREED);
        let has_ceased = remove_words(&mut low, CEASED);
        // Before the pairs: `더 이상` has one of them in it.
        let is_any_more = remove_words(&mut low, ANY_MORE);
        let mut sides = [None; AXES.len()];
        for ((yes, no), side_of) in AXES.iter().zip(&mut sides) {
            // The longer one holds the other: `비활성화`.
            let has_no = remove_words(&mut low, no);
            let has_yes = remove_words(&mut low, yes);
            *side_of = pair_side(has_yes, has_no);
        }
        let is_no = remove_words(&mut low, NO) || has_ceased;
        let is_may = remove_words(&mut low, MAY);
        remove_words(&mut low, YES);
        let says = match () {
            () if is_freed => Says::Freed,
            () if is_no => Says::Barred,
            () if is_may => Says::Allowed,
            () => Says::Holds,
        };
        Some(Self {
            rest: low.chars().filter(|c| c.is_alphanumeric()).collect(),
            bare: naming_chars(&low),
            objects: korean_objects(&low),
            ceases: says.is_no() && (has_ceased || is_any_more),
            says,
            sides,
            ends,
        })
    }

    /// What is left without so many characters in front and behind.
    fn middle_chars(&self, front: usize, back: usize) -> &[char] {
        &self.rest[front..self.rest.len() - back]
    }

    pub(super) fn is_no(&self) -> bool {
        self.says.is_no()
    }

    /// Whether one says no and the other yes.
    pub(super) fn is_against(&self, newer: &Self) -> bool {
        self.says.is_against(newer.says)
    }

    /// Whether each speaks of another end of one thing, or of another place.
    pub(super) fn is_other_end(&self, newer: &Self) -> bool {
        differing_places(&self.ends, &newer.ends).next().is_some()
    }

    pub(super) fn compare_unspaced(&self, newer: &Self) -> StatementRelation {
        if self.is_other_end(newer) {
            return StatementRelation::Another;
        }
        let opposed: Vec<usize> = differing_places(&self.sides, &newer.sides).collect();
        let is_against = self.is_against(newer);
        let is_turned = is_against == opposed.is_empty();
        if self.rest == newer.rest && !self.rest.is_empty() {
            return match (is_turned, opposed.as_slice()) {
                (true, _) => StatementRelation::Contrary,
                (false, []) if self.says == newer.says => StatementRelation::Same,
                // What is allowed before may be forbidden after.
                (false, [axis]) if BESIDE.contains(axis) => StatementRelation::Another,
                (false, _) => StatementRelation::Open,
            };
        }
        if is_against && opposed.is_empty() && self.is_denied_by(newer) {
            return StatementRelation::Contrary;
        }
        if !is_turned && opposed.is_empty() && self.has_other_roles(newer) {
            if self.says_replacement()
                && newer.says_replacement()
                && !self.goes_on(newer)
                && !newer.goes_on(self)
            {
                return StatementRelation::Contrary;
            }
            return StatementRelation::Another;
        }
        let same =
            |one: &mut dyn Iterator<Item = (&char, &char)>| one.take_while(|(a, b)| a == b).count();
        let front = same(&mut self.rest.iter().zip(&newer.rest));
        let short = self.rest.len().min(newer.rest.len());
        let back =
            same(&mut self.rest.iter().rev().zip(newer.rest.iter().rev())).min(short - front);
        let (one, other) = (
            self.middle_chars(front, back),
            newer.middle_chars(front, back),
        );
        let is_own = |part: &[char], there: &[char]| {
            let mut names = part.iter().filter(|c| is_naming_char(**c));
            names.any(|c| !there.contains(c))
        };
        let is_replaced = is_own(one, other) && is_own(other, one);
        if is_turned && self.has_other_objects(newer) {
            return StatementRelation::Another;
        }
        match is_turned && is_replaced && front + back >= SHARED_CHARS_MIN {
            true => StatementRelation::Another,
            false => StatementRelation::Open,
        }
    }
}

impl Unspaced {
    /// Whether the newer says all that this says, or ends what this begins or closes with.
    fn is_denied_by(&self, newer: &Self) -> bool {
        let (one, other) = (self.bare.as_slice(), newer.bare.as_slice());
        let is_told = other.len() >= SHARED_CHARS_MIN;
        let is_part = newer.ceases && (one.starts_with(other) || one.ends_with(other));
        is_told && (one == other || is_part)
    }
}

impl Unspaced {
    /// Whether another one does what is done, or it goes on from where it came to.
    fn has_other_roles(&self, newer: &Self) -> bool {
        const JOINING: &str = "和与與及跟とや와과랑하고、";
        let (one, other) = (one_of_two(&self.rest), one_of_two(&newer.rest));
        let is_swapped = turned::has_other_roles(&one, &other, |c| JOINING.contains(c));
        is_swapped || self.goes_on(newer) || newer.goes_on(self)
    }

    /// Whether it says that one thing is used in the place of another by now.
    fn says_replacement(&self) -> bool {
        const CHANGED: &str = "换到|换成|切换到|改用|乗り換え|切り替え|바꿨|갈아탔";
        let text: String = self.rest.iter().collect();
        contains_any(&text, CHANGED)
    }

    /// Whether something else is done or used: of Korean, whose words tell what they are.
    fn has_other_objects(&self, newer: &Self) -> bool {
        let (one, other) = (&self.objects, &newer.objects);
        let is_known = !one.is_empty() && !other.is_empty();
        is_known && one.iter().all(|object| !other.contains(object))
    }

    /// `从1到2`, `从2到3`.
    fn goes_on(&self, newer: &Self) -> bool {
        let names = |one: &Self| -> Vec<String> {
            let text: String = one
                .rest
                .iter()
                .map(|c| if c.is_ascii() { *c } else { ' ' })
                .collect();
            text.split_whitespace().map(str::to_owned).collect()
        };
        let says = |one: &Self| {
            let text: String = one.rest.iter().collect();
            ["从", "從", "から", "에서"]
                .iter()
                .any(|row| text.contains(row))
        };
        let (one, other) = (names(self), names(newer));
        let ends = |names: &[String]| {
            names
                .len()
                .checked_sub(2)
                .map(|at| (names[at].clone(), names[at + 1].clone()))
        };
        let ends = ends(&one).zip(ends(&other));
        ends.is_some_and(|((from, to), (next, last))| {
            to == next && from != last && says(self) && says(newer)
        })
    }
}

/// A text with one form of each particle of which the letter in front decides.
fn one_of_two(text: &[char]) -> Vec<char> {
    let next = text.iter().skip(1).map(Some).chain([None]);
    let pairs = text.iter().zip(next);
    let told = pairs.filter(|(c, next)| !(**c == '으' && *next == Some(&'로')));
    told.map(|(c, _)| match c {
        '를' => '을',
        '가' => '이',
        '는' => '은',
        '와' => '과',
        c => *c,
    })
    .collect()
}

/// Which of a pair a text has, where it is one of them.
fn pair_side(has_one: bool, has_other: bool) -> Option<bool> {
    (has_one != has_other).then_some(has_one)
}

/// The places where both have one of a pair, and not the same.
fn differing_places(one: &[Option<bool>], other: &[Option<bool>]) -> impl Iterator<Item = usize> {
    let pairs = one.iter().zip(other).enumerate();
    pairs
        .filter(|(_, (one, other))| one.is_some() && other.is_some() && one != other)
        .map(|(at, _)| at)
}

/// The Korean words that say what is done or used.
fn korean_objects(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let found = words.filter_map(|word| word.strip_suffix(['을', '를']));
    found
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The characters of a text that name something: no particles, no endings in kana, nothing that only gives the time.
fn naming_chars(text: &str) -> Vec<char> {
    const PARTICLES: [char; 11] = [
        '을', '를', '은', '는', '이', '가', '에', '도', '의', '로', '과',
    ];
    const EMPTY: [char; 6] = ['了', '吧', '先', '再', '也', '就'];
    let mut found = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let is_hangul = |c: char| ('\u{ac00}'..='\u{d7af}').contains(&c);
        let is_short = word.chars().count() <= 2;
        let word = match word.chars().next_back() {
            Some(last) if !is_short && is_hangul(last) => {
                word.strip_suffix(PARTICLES).unwrap_or(word)
            }
            _ => word,
        };
        let is_kana = |c: &char| ('\u{3041}'..='\u{309f}').contains(c);
        found.extend(word.chars().filter(|c| !is_kana(c) && !EMPTY.contains(c)));
    }
    found
}

/// Whether a text has one of some words.
fn contains_any(text: &str, words: &str) -> bool {
    words.split('|').any(|word| text.contains(word))
}

/// Whether a character is one of names and things, and not of endings.
fn is_naming_char(c: char) -> bool {
    let is_kana = ('\u{30a1}'..='\u{30ff}').contains(&c);
    let is_ideograph = ('\u{4e00}'..='\u{9fff}').contains(&c);
    c.is_ascii_alphanumeric() || is_kana || is_ideograph
}

/// Takes words out of a text, and says whether it had any.
fn remove_words(text: &mut String, words: &str) -> bool {
    let mut has_any = false;
    for word in words.split('|') {
        if text.contains(word) {
            *text = text.replace(word, "");
            has_any = true;
        }
    }
    has_any
}
