//! Texts with places to fill: `{{name}}`.

/// Fills the places whose names are given. Others stay as they are, and what was filled in is not
/// looked at again.
pub fn fill_template(template: &str, values: &[(&str, impl AsRef<str>)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find("{{") {
        let (before, from) = rest.split_at(start);
        filled.push_str(before);
        let named = from.find("}}").and_then(|end| {
            let name = from[2..end].trim();
            let value = values.iter().find(|(known, _)| *known == name)?;
            Some((value.1.as_ref(), end + 2))
        });
        let (text, taken) = named.unwrap_or(("{{", 2));
        filled.push_str(text);
        rest = &from[taken..];
    }
    filled.push_str(rest);
    filled
}

/// A pattern with the parts that it names.
pub(crate) fn fill_pattern(pattern: &str, parts: &[(String, String)]) -> String {
    let put = |text: String, (name, part): &(String, String)| text.replace(name, part);
    parts.iter().fold(pattern.to_owned(), put)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_places_are_filled_once_and_others_stay() {
        let values = [("a", "{{b}}"), ("b", "B")];
        assert_eq!(
            fill_template("{{a}} {{ b }} {{c}}", &values),
            "{{b}} B {{c}}"
        );
        assert_eq!(fill_template("{{{a}} {{", &values), "{{{a}} {{");
        assert_eq!(fill_template("é{{b}}é}}", &values), "éBé}}");
    }
}
