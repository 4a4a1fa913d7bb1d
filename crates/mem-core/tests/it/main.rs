//! Tests of `mem-core` that are too bulky to stand beside the code.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod check_codes;
mod frontmatter_edit;
mod frontmatter_forms;
mod frontmatter_property;
mod index_lines;
mod index_whole;
mod topic_render;
