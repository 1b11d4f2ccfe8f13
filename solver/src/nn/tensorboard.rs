//! TensorBoard's event files: records with check sums around small protocol buffers.
//!
//! A record is its length (u64), the masked CRC-32C of the length, the bytes, and their masked CRC-32C, all little-endian.
//! (TensorFlow, `lib/io/record_writer.h` and `util/event.proto`.)

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

/// The file in a folder; TensorBoard finds it by the middle word.
pub(super) const FILE: &str = "events.out.tfevents.arc3";

/// An event file that grows.
#[derive(Debug)]
pub(super) struct Events(File);

impl Events {
    /// Goes on after `step` steps; later records are forgotten.
    pub(super) fn open(folder: &Path, step: u64) -> io::Result<Events> {
        let path = folder.join(FILE);
        let before = fs::read(&path).unwrap_or_default();
        let mut kept: Vec<u8> = records(&before)
            .take_while(|event| step_of(event).is_some_and(|found| found <= step))
            .flat_map(record)
            .collect();
        if kept.is_empty() {
            kept = record(&version_event(now()));
        }
        fs::write(&path, kept)?;
        Ok(Events(OpenOptions::new().append(true).open(path)?))
    }

    /// Adds the values of a step.
    pub(super) fn write(&mut self, step: u64, values: &BTreeMap<String, f64>) -> io::Result<()> {
        self.0.write_all(&record(&scalars_event(now(), step, values)))
    }
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

fn record(event: &[u8]) -> Vec<u8> {
    let length = (event.len() as u64).to_le_bytes();
    let sums = [masked(&length).to_le_bytes(), masked(event).to_le_bytes()];
    [&length[..], &sums[0], event, &sums[1]].concat()
}

/// CRC-32C, rotated and shifted so that sums of data with sums inside stay sound.
fn masked(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// The events of a file, up to the first that is not whole.
pub(super) fn records(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let event = after.get(4..)?.get(..length)?;
        let sum = after.get(4 + length..)?.first_chunk::<4>()?;
        rest = after.get(4 + length + 4..)?;
        (u32::from_le_bytes(*sum) == masked(event)).then_some(event)
    })
}

/// The step of an event as this module writes it: behind the time (field 1, eight bytes) stands field 2.
pub(super) fn step_of(event: &[u8]) -> Option<u64> {
    match event.get(9) {
        Some(&tag) if tag == key(2, VARINT) => Some(read_varint(event.get(10..)?)),
        _ => Some(0),
    }
}

const VARINT: u8 = 0;
const FIXED64: u8 = 1;
const BYTES: u8 = 2;
const FIXED32: u8 = 5;

const fn key(field: u8, wire: u8) -> u8 {
    field << 3 | wire
}

fn version_event(time: f64) -> Vec<u8> {
    [with_time(time), field(3, b"brain.Event:2")].concat()
}

fn scalars_event(time: f64, step: u64, values: &BTreeMap<String, f64>) -> Vec<u8> {
    let summary: Vec<u8> = values.iter().flat_map(|(tag, value)| field(1, &scalar(tag, *value as f32))).collect();
    [with_time(time), vec![key(2, VARINT)], varint(step), field(5, &summary)].concat()
}

fn with_time(time: f64) -> Vec<u8> {
    [&[key(1, FIXED64)], &time.to_le_bytes()[..]].concat()
}

fn scalar(tag: &str, value: f32) -> Vec<u8> {
    [field(1, tag.as_bytes()), vec![key(2, FIXED32)], value.to_le_bytes().to_vec()].concat()
}

fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [vec![key(number, BYTES)], varint(bytes.len() as u64), bytes.to_vec()].concat()
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn read_varint(bytes: &[u8]) -> u64 {
    let length = bytes.iter().take(9).take_while(|byte| **byte >= 0x80).count() + 1;
    bytes.iter().take(length).rev().fold(0, |value, byte| value << 7 | u64::from(byte & 0x7f))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_what_tensorflow_writes() {
        // tf.compat.v1.Event(wall_time=1.5, step=300, summary=Summary(value=[Value(tag="a", simple_value=2.0)]))
        //   .SerializeToString().hex()
        let values = [("a".to_owned(), 2.0)].into_iter().collect();
        let expected = "09000000000000f83f10ac022a0a0a080a01611500000040";
        let bytes = (0..expected.len()).step_by(2).map(|at| u8::from_str_radix(&expected[at..at + 2], 16).unwrap());
        assert_eq!(scalars_event(1.5, 300, &values), bytes.collect::<Vec<u8>>());
    }

    #[test]
    fn the_sum_is_masked() {
        // CRC-32C of "123456789" is 0xe3069283; ((crc >> 15 | crc << 17) + 0xa282ead8) mod 2^32 by hand.
        assert_eq!(masked(b"123456789"), 0xc78a_b0e5);
    }

    #[test]
    fn records_end_where_the_file_was_cut_or_damaged() {
        let file = [record(b"one"), record(b"two")].concat();
        let count = |bytes: &[u8]| records(bytes).count();
        assert_eq!((count(&file), count(&file[..file.len() - 1])), (2, 1));
        let mut damaged = file;
        damaged[13] ^= 1;
        assert_eq!(count(&damaged), 0);
    }

    #[test]
    fn steps_are_read_back() {
        for step in [0, 1, 127, 128, 300, 1 << 40] {
            assert_eq!(step_of(&scalars_event(0.0, step, &BTreeMap::new())), Some(step));
        }
        assert_eq!(step_of(&version_event(0.0)), Some(0));
    }
}
