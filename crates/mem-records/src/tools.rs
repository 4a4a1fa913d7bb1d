//! What a model reads of the three tools, wherever they are offered.

/// An array of tools as `tools/list` of MCP has them: names, descriptions, schemas, annotations. What they take and
/// give is read by [`input`](crate::input) and made by [`shape`](crate::shape).
pub const DEFINITIONS: &str = mem_templates::MCP_RECORDS;

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::Category;
    use crate::limits::LIMIT_MAX;

    #[test]
    fn the_schemas_say_what_is_read() {
        let all: Vec<Value> = serde_json::from_str(DEFINITIONS).unwrap();
        let names: Vec<&str> = all
            .iter()
            .map(|one| one["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["memory_store", "memory_retrieve", "memory_delete"]);
        for one in &all {
            for schema in ["inputSchema", "outputSchema"] {
                assert_eq!(one[schema]["additionalProperties"], false);
            }
        }
        let [store, retrieve, delete] = [0, 1, 2].map(|at| &all[at]["inputSchema"]);
        let words = Category::category_words();
        for word in store["properties"]["category"]["enum"].as_array().unwrap() {
            assert!(words.contains(word.as_str().unwrap()), "{word}");
        }
        assert_eq!(
            store["required"],
            json!(["content", "category", "importance"])
        );
        assert_eq!(retrieve["properties"]["limit"]["maximum"], LIMIT_MAX);
        assert_eq!(delete["required"], json!(["memory_id", "reason"]));
    }
}
