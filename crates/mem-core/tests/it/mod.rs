//! Reading and writing topic files.

mod frontmatter_edit;
mod frontmatter_forms;
mod frontmatter_property;
mod topic_render;
