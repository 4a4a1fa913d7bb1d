//! A distillation while nobody looks: what a daemon begins at night.
