//! The types that settings have, between a field and a value of the file.

use super::history_retention::HistoryRetention;
use super::key::SettingKind;
use super::value::SettingValue;

/// What a field of [`Settings`](super::Settings) may be.
pub(super) trait SettingType: Sized {
    /// What the key takes.
    const KIND: SettingKind;

    /// The field for a value; `None` for a value that the key does not take.
    fn from_value(value: &SettingValue) -> Option<Self>;

    /// The field as a value; `None` where it is not set.
    fn to_value(&self) -> Option<SettingValue>;
}

/// A number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share(pub f64);

impl SettingType for bool {
    const KIND: SettingKind = SettingKind::Boolean;

    fn from_value(value: &SettingValue) -> Option<Self> {
        value.boolean()
    }

    fn to_value(&self) -> Option<SettingValue> {
        Some(SettingValue::Boolean(*self))
    }
}

impl SettingType for Option<bool> {
    const KIND: SettingKind = SettingKind::Boolean;

    fn from_value(value: &SettingValue) -> Option<Self> {
        value.boolean().map(Some)
    }

    fn to_value(&self) -> Option<SettingValue> {
        self.map(SettingValue::Boolean)
    }
}

impl SettingType for u64 {
    const KIND: SettingKind = SettingKind::Integer;

    fn from_value(value: &SettingValue) -> Option<Self> {
        value.integer().and_then(|number| number.try_into().ok())
    }

    fn to_value(&self) -> Option<SettingValue> {
        (*self).try_into().ok().map(SettingValue::Integer)
    }
}

impl SettingType for usize {
    const KIND: SettingKind = SettingKind::Integer;

    fn from_value(value: &SettingValue) -> Option<Self> {
        value.integer().and_then(|number| number.try_into().ok())
    }

    fn to_value(&self) -> Option<SettingValue> {
        (*self).try_into().ok().map(SettingValue::Integer)
    }
}

impl SettingType for f64 {
    const KIND: SettingKind = SettingKind::Number;

    fn from_value(value: &SettingValue) -> Option<Self> {
        value.number().filter(|number| number.is_finite())
    }

    fn to_value(&self) -> Option<SettingValue> {
        Some(SettingValue::Number(*self))
    }
}

impl SettingType for Share {
    const KIND: SettingKind = SettingKind::Share;

    fn from_value(value: &SettingValue) -> Option<Self> {
        value.number().map(Self)
    }

    fn to_value(&self) -> Option<SettingValue> {
        Some(SettingValue::Number(self.0))
    }
}

/// Spaces around a text never mean anything.
impl SettingType for String {
    const KIND: SettingKind = SettingKind::Text;

    fn from_value(value: &SettingValue) -> Option<Self> {
        match value {
            SettingValue::Text(text) => Some(text.trim().to_owned()),
            SettingValue::Boolean(_) | SettingValue::Integer(_) | SettingValue::Number(_) => None,
        }
    }

    fn to_value(&self) -> Option<SettingValue> {
        Some(SettingValue::Text(self.clone()))
    }
}

impl SettingType for HistoryRetention {
    const KIND: SettingKind = SettingKind::Keep;

    fn from_value(value: &SettingValue) -> Option<Self> {
        Self::parse(value.text())
    }

    fn to_value(&self) -> Option<SettingValue> {
        Some(SettingValue::Text(self.to_string()))
    }
}

/// A type for each setting that takes one of a few words.
macro_rules! choices {
    ($( $(#[doc = $about:literal])+ $Choice:ident {
        $( $(#[doc = $doc:literal])+ $variant:ident = $word:literal, )+
    } )+) => {
        $(
            $(#[doc = $about])+
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
            pub enum $Choice {
                $( $(#[doc = $doc])+ $variant, )+
            }

            impl $Choice {
                /// The word in the settings.
                #[must_use]
                pub const fn as_str(self) -> &'static str {
                    match self {
                        $( Self::$variant => $word, )+
                    }
                }
            }

            impl SettingType for $Choice {
                const KIND: SettingKind = SettingKind::Choice(&[$( $word, )+]);

                fn from_value(value: &SettingValue) -> Option<Self> {
                    match value.text() {
                        $( $word => Some(Self::$variant), )+
                        _ => None,
                    }
                }

                fn to_value(&self) -> Option<SettingValue> {
                    Some(SettingValue::Text(self.as_str().to_owned()))
                }
            }
        )+
    };
}

choices! {
    /// `color`.
    ColorWhen {
        /// On a terminal, unless NO_COLOR is set.
        Auto = "auto",
        /// Always.
        Always = "always",
        /// Never.
        Never = "never",
    }
    /// `memory.mode`: how memory is kept.
    MemoryMode {
        /// A file for each topic, and MEMORY.md points to them.
        Index = "index",
        /// A daily log; a distillation writes MEMORY.md.
        Log = "log",
    }
    /// `memory.write`: what agents may do, the loosest first.
    WriteMode {
        /// Write.
        Auto = "auto",
        /// Write into the inbox, where a person decides.
        Confirm = "confirm",
        /// Nothing.
        ReadOnly = "read-only",
    }
    /// `memory.review`: after whose text a write waits, ordered by how much waits, the most last.
    TextReview {
        /// Nobody's.
        None = "none",
        /// Pages and downloads, MCP servers, memories of colleagues.
        Outside = "outside",
        /// Files and commands of this machine as well.
        Tools = "tools",
    }
    /// `team.pull` and `team.push`: how files of a team come and go.
    TeamFlow {
        /// By themselves.
        Auto = "auto",
        /// After a look.
        Review = "review",
    }
    /// `records.backend`: where records are kept.
    RecordBackend {
        /// In files, as all memories.
        Files = "files",
        /// In a Qdrant.
        Qdrant = "qdrant",
    }
}
