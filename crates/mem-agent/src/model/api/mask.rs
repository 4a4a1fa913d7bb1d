//! The key is in nothing that a model said.

use secrecy::SecretString;
use serde_json::Value;

/// Takes the key and its parts out of all texts in a value.
pub(super) fn mask_key(value: &mut Value, key: &SecretString) {
    match value {
        Value::String(text) => *text = mem_http::mask_key(text, key),
        Value::Array(all) => all.iter_mut().for_each(|one| mask_key(one, key)),
        Value::Object(all) => all.values_mut().for_each(|one| mask_key(one, key)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_a_value_has_it() {
        let key = SecretString::from(["sk-of-", "nobody"].concat());
        let mut value: Value =
            serde_json::from_str("{\"a\":[\"is sk-\\u006ff-nobody\",1]}").unwrap();
        mask_key(&mut value, &key);
        assert_eq!(value, serde_json::json!({ "a": ["is [key]", 1] }));
    }
}
