//! The JSONL files that plays leave behind.
