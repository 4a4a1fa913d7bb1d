//! The words of Chinese, Japanese and Korean that tie and change, and what stands in a change beside a no, divided by `|`, the longer ones first.

/// The days of the week from Monday on.
pub(super) const DAY_NAMES: [&str; 7] = [
    "星期一|礼拜一|禮拜一|周一|週一|月曜日|月曜|월요일",
    "星期二|礼拜二|禮拜二|周二|週二|火曜日|火曜|화요일",
    "星期三|礼拜三|禮拜三|周三|週三|水曜日|水曜|수요일",
    "星期四|礼拜四|禮拜四|周四|週四|木曜日|木曜|목요일",
    "星期五|礼拜五|禮拜五|周五|週五|金曜日|金曜|금요일",
    "星期六|礼拜六|禮拜六|周六|週六|土曜日|土曜|토요일",
    "星期日|星期天|礼拜天|禮拜天|周日|週日|日曜日|日曜|일요일",
];
/// That it was otherwise before.
pub(super) const CHANGE: &str = "从现在起|從現在起|现在|現在は|現在|如今|目前|今後は|これからは|今は|이제부터|이제는|이제|앞으로는|앞으로|지금은";
/// That so many are needed.
pub(super) const NEEDS: &str =
    "必须由|必須由|只需要|必须有|必須有|需要|必须|必須|只需|只要|应由|應由|由|需|要|有";
/// What of it stands beside the rest of a sentence, which is compared without it.
pub(super) const NO_BESIDE: &str = "不再|不|もう|더 이상";
/// Behind these stands what holds no longer.
pub(super) const GONE_BEHIND: &str =
    "不再是|不再使用|不再用|不再在|不再|而不是|而非|代替|取代|替代|替换|替換";
/// In front of these it stands.
pub(super) const GONE_BEFORE: &str =
    "ではなく|じゃなく|でなく|の代わりに|のかわりに|이 아니라|가 아니라|아니라| 대신";
/// Words in which a character that ties does not.
pub(super) const NO_TIES: &str = "用户|用戶|应用|應用|费用|作用|信用|专用|通用|可用|常用|但是|还是|总是|是否|因为|因為|行为|认为|作为|存在|正在";
/// Where somebody chooses something, behind what is chosen.
pub(super) const CHOSEN: &str = "を使|を利用|を採用|을 사용|를 사용|을 이용|를 이용|를 써";
/// A thing whose name ends so has one of it at a time.
pub(super) const ONE_OF: &str = "\
    负责人|負責人|端口|版本|截止日期|期限|日|时间|時間|数据库|資料庫|分支|地址|区域|窗口|名称|名字|名|超时|预算|担当者|担当|ポート|バージョン|\
    データベース|ブランチ|リージョン|名前|オーナー|담당자|포트|버전|마감일|데이터베이스|브랜치|리전|이름|오너";
/// Particles at the end of a name.
pub(super) const PARTICLES: &str =
    "에는|에서|으로|には|では|은|는|이|가|을|를|에|の|に|で|へ|的|は";
/// Whoever speaks is no thing that is spoken of.
pub(super) const SPEAKERS: &str = "我们|我們|我|私たち|우리";
/// What ties, where it is no part of another word, by how it does.
pub(super) const TIES: [(&str, &str); 5] = [
    (
        "becomes",
        "更改为|调整为|迁移到|推迟到|提前到|改为|改為|改成|改到|换成|換成|变为|变成|變成|移到|搬到",
    ),
    ("is called", "叫做|叫作|名为|称为|叫"),
    ("use", "改用|使用|采用|採用|用"),
    ("in", "运行在|位于|在"),
    ("is", "：|:|是|为|為"),
];
/// What a value ends with that only says how it ties.
pub(super) const ENDINGS: [(&str, &str); 4] = [
    (
        "becomes",
        "\
         に変わりました|に変わった|に変更しました|に変更|になりました|になった|に移行しました|으로 변경되었습니다|로 변경되었습니다|\
         로 바뀌었습니다",
    ),
    (
        "is called",
        "と呼ばれます|と呼ばれる|という名前です|といいます|라고 합니다",
    ),
    ("in", "で動いています|で動く|にあります|にある|에 있습니다"),
    ("is", "である|です|だ|입니다|이에요|예요|이다"),
];
