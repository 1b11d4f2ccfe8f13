//! The greatest common divisor of two lengths in cells: the unit that steps and sizes are made of.

/// The greatest common divisor, never negative; of nothing and a length that length.
pub(crate) const fn divisor(one: i16, other: i16) -> i16 {
    if other == 0 { one.abs() } else { divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_lengths_is_what_they_are_multiples_of() {
        assert_eq!([8, -12, 0, 20].into_iter().fold(0, divisor), 4);
        assert_eq!(divisor(-6, 0), 6);
    }
}
