//! Reading and writing topic files and indexes.

mod check_codes;
mod delimiters;
mod frontmatter_edit;
mod frontmatter_forms;
mod frontmatter_property;
mod index_lines;
mod index_merge;
mod index_whole;
mod topic_render;
