//! The same of Chinese, Japanese and Korean, whose words nobody divides: what turns a statement round is taken out
//! of it, and what is left is compared.

use super::Versus;
use crate::text::{fold, is_unspaced};

/// What says no, and what says yes in its place, divided by `|`; the longer ones first.
const NO: &str = "再也不要|再也不|从来不|永远不要|永远不|绝不要|绝不|不再|不要|不用|不能|不得|不可以|不可|不许|不准|不应该|不允许|禁止|切勿|没有|别|不|\
    してはいけません|してはいけない|してはならない|しないでください|しないで|しません|しない|するな|ではありません|ではない|ません|ない|\
    하지 마세요|하지 말아 주세요|하지 않습니다|하지 않는다|하지 말 것|하지 마|하지 않|않|금지|아닙니다|아니다";
const YES: &str = "一定要|必须|必須|总是|總是|永远|可以|允许|应该|要|请|都|してください|します|して|する|です|ます|必ず|常に|いつも|\
    하세요|합니다|해 주세요|한다|할 것|항상|반드시|꼭|입니다|이다|从现在起|以后|今後は|これからは|앞으로는|앞으로|绝对";
/// Two words of which one says the contrary of the other.
const AXES: [(&str, &str); 11] = [
    (
        "开启|启用|打开|啟用|有効|オン|활성화|켜짐",
        "关闭|禁用|停用|無効|オフ|비활성화|꺼짐",
    ),
    ("允许|許可|허용", "禁止|금지"),
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
/// So much of a shorter text has to be shared before another thing is told in it.
const SHARED_CHARS_MIN: usize = 2;

/// Such a text without what turns it round.
#[derive(Clone, Debug)]
pub(super) struct Unspaced {
    rest: Vec<char>,
    is_no: bool,
    /// Of each pair, which word it has.
    sides: [Option<bool>; AXES.len()],
}

impl Unspaced {
    /// Nothing for a text of another script.
    pub(super) fn of(text: &str) -> Option<Self> {
        if !text.chars().any(is_unspaced) {
            return None;
        }
        let mut low = String::with_capacity(text.len());
        fold(text, &mut low);
        let mut sides = [None; AXES.len()];
        for ((yes, no), side) in AXES.iter().zip(&mut sides) {
            // The longer one holds the other: `비활성화`.
            let has_no = take(&mut low, no);
            let has_yes = take(&mut low, yes);
            *side = match (has_yes, has_no) {
                (true, false) => Some(true),
                (false, true) => Some(false),
                _ => None,
            };
        }
        let is_no = take(&mut low, NO);
        take(&mut low, YES);
        let rest = low.chars().filter(|c| c.is_alphanumeric());
        Some(Self {
            rest: rest.collect(),
            is_no,
            sides,
        })
    }

    /// What is left without so many characters in front and behind.
    fn between(&self, front: usize, back: usize) -> &[char] {
        &self.rest[front..self.rest.len() - back]
    }

    pub(super) fn versus(&self, newer: &Self) -> Versus {
        let pairs = self.sides.iter().zip(&newer.sides);
        let is_opposed = |(one, other): (&Option<bool>, &Option<bool>)| {
            one.is_some() && other.is_some() && one != other
        };
        let opposed = pairs.filter(|pair| is_opposed(*pair)).count();
        let is_turned = (self.is_no != newer.is_no) != (opposed > 0);
        if self.rest == newer.rest && !self.rest.is_empty() {
            return match (is_turned, opposed) {
                (true, _) => Versus::Contrary,
                (false, 0) => Versus::Same,
                (false, _) => Versus::Open,
            };
        }
        let same =
            |one: &mut dyn Iterator<Item = (&char, &char)>| one.take_while(|(a, b)| a == b).count();
        let front = same(&mut self.rest.iter().zip(&newer.rest));
        let short = self.rest.len().min(newer.rest.len());
        let back =
            same(&mut self.rest.iter().rev().zip(newer.rest.iter().rev())).min(short - front);
        let (one, other) = (self.between(front, back), newer.between(front, back));
        let is_own = |part: &[char], there: &[char]| {
            let mut names = part.iter().filter(|c| names(**c));
            names.any(|c| !there.contains(c))
        };
        let is_replaced = is_own(one, other) && is_own(other, one);
        match is_turned && is_replaced && front + back >= SHARED_CHARS_MIN {
            true => Versus::Another,
            false => Versus::Open,
        }
    }
}

/// Whether a character is one of names and things, and not of endings.
fn names(c: char) -> bool {
    let is_kana = ('\u{30a1}'..='\u{30ff}').contains(&c);
    let is_ideograph = ('\u{4e00}'..='\u{9fff}').contains(&c);
    c.is_ascii_alphanumeric() || is_kana || is_ideograph
}

/// Takes words out of a text, and says whether it had any.
fn take(text: &mut String, words: &str) -> bool {
    let mut has_any = false;
    for word in words.split('|') {
        if text.contains(word) {
            *text = text.replace(word, "");
            has_any = true;
        }
    }
    has_any
}
