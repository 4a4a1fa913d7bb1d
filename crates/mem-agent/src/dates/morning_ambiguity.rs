//! Tomorrow or the morning: German and Spanish have one word for both.

/// Behind these stands the morning: "am Morgen", "heute Morgen", "guten Morgen".
const GERMAN: &str = "am guten gute schönen schoenen heute gestern vorgestern übermorgen jeden jedem jeder diesen diesem \
                      dieser der den dem des ein einen einem eines vom zum gegen nächsten nächste letzten selben \
                      folgenden ganzen ganze moin montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag";
/// Behind these many write tomorrow as if it were the noun.
const SLOPPY: &str = "bis ab für ist";
/// "Esta mañana", "por la mañana", and "el mañana", which is what will be one day.
const SPANISH: &str = "la una esta esa aquella cada media buena toda misma primera el del muy";

/// Whether a word between two texts that may mean tomorrow means the morning.
pub(super) fn is_morning(word: &str, before: &str, behind: &str) -> bool {
    let last = before.rsplit(|c: char| !c.is_alphanumeric());
    let last = last.take(2).find(|word| !word.is_empty());
    let led = last.unwrap_or_default().to_lowercase();
    let is_led = |list: &str| list.split_whitespace().any(|one| one == led);
    match word {
        "mañana" | "Mañana" => before.ends_with(' ') && is_led(SPANISH),
        "morgen" => before.ends_with(' ') && is_led(GERMAN) || is_overnight(before),
        // A noun, unless a sentence begins with it; "Morgen!" is a greeting.
        "Morgen" => {
            let is_greeting =
                is_sentence_start(before) && (behind.is_empty() || behind.starts_with(['!', ',']));
            !is_led(SLOPPY) && !is_sentence_start(before) || is_greeting
        }
        _ => false,
    }
}

/// "Von heute auf morgen" is suddenly.
fn is_overnight(before: &str) -> bool {
    before.to_lowercase().ends_with("heute auf ")
}

/// Whether a sentence begins behind a text.
fn is_sentence_start(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with(['.', '!', '?', ':', '-', '*', '(', '"', '„'])
}

#[cfg(test)]
mod tests {
    use crate::dates::{annotate_dates, replace_dates};

    /// On Wednesday, 4 March 2026.
    #[test]
    fn tomorrow_is_told_from_the_morning() {
        let on = jiff::civil::date(2026, 3, 4);
        for (text, want) in [
            ("Der Release ist morgen", "Der Release ist 2026-03-05"),
            ("Morgen ist Release", "2026-03-05 ist Release"),
            (
                "Der Release ist morgen am Morgen",
                "Der Release ist 2026-03-05 am Morgen",
            ),
            ("heute oder morgen", "2026-03-04 oder 2026-03-05"),
            ("El despliegue es mañana", "El despliegue es 2026-03-05"),
            (
                "Mañana por la mañana se despliega",
                "2026-03-05 por la mañana se despliega",
            ),
            ("pasado mañana", "2026-03-06"),
            ("bis Morgen fertig", "bis 2026-03-05 fertig"),
            ("La reunión de mañana", "La reunión de 2026-03-05"),
        ] {
            assert_eq!(replace_dates(text, on), want);
        }
        for text in [
            "Am Morgen läuft das Backup",
            "jeden morgen läuft das Backup",
            "der Morgen ist ruhig",
            "Guten Morgen",
            "guten morgen",
            "Morgen, alles klar",
            "Am Montag morgen läuft es",
            "von jetzt auf Morgen",
            "por la mañana",
            "Las copias corren cada mañana",
            "a la mañana siguiente",
            "Ask Ana Morgen",
        ] {
            assert_eq!(replace_dates(text, on), text);
        }
        assert_eq!(
            annotate_dates("esta mañana, mañana", on),
            "esta mañana, mañana (2026-03-05)"
        );
    }
}
