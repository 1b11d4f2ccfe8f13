//! The ARC-AGI-3 agent runtime behind the `arc3` binary.

pub mod policy;
