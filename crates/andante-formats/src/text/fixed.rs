//! Numbers with a fixed number of digits after the point.

use std::fmt::Write;

/// Letters of one byte that are on their way to a string: several numbers go together.
struct Letters {
    bytes: [u8; 128],
    count: usize,
}

impl Letters {
    fn push(&mut self, byte: u8) {
        self.bytes[self.count] = byte;
        self.count += 1;
    }

    /// Appends a number with at least so many digits.
    fn digits(&mut self, mut number: u64, least: usize) {
        let mut buffer = [b'0'; 24];
        let mut start = buffer.len();
        while number >= 10 {
            let pair = (number % 100) as u8;
            number /= 100;
            start -= 2;
            (buffer[start], buffer[start + 1]) = (b'0' + pair / 10, b'0' + pair % 10);
        }
        if number > 0 {
            start -= 1;
            buffer[start] = b'0' + number as u8;
        }
        let digits = &buffer[start.min(buffer.len() - least)..];
        self.bytes[self.count..self.count + digits.len()].copy_from_slice(digits);
        self.count += digits.len();
    }

    fn flush(&mut self, out: &mut String) {
        // All of them are letters of one byte.
        out.push_str(std::str::from_utf8(&self.bytes[..self.count]).unwrap_or_default());
        self.count = 0;
    }
}

/// Appends a number, rounded to so many digits after the point, without zeros at its end. `shift` is ten to their power.
fn write_fixed(out: &mut String, letters: &mut Letters, value: f64, digits: usize, shift: f64) {
    // Whole numbers up to 2^53 are exact, and many times faster to print than fractions.
    let scaled = (value * shift).abs();
    if scaled >= 9e15 {
        letters.flush(out);
        // Writing to a string cannot fail.
        let _ = write!(out, "{value}");
        return;
    }
    let whole = scaled as u64;
    let rounded = whole + u64::from(scaled - whole as f64 >= 0.5);
    if rounded == 0 {
        letters.push(b'0');
        return;
    }
    if value < 0.0 {
        letters.push(b'-');
    }
    let shift = shift as u64;
    let (before, after) = (rounded / shift, rounded % shift);
    letters.digits(before, 1);
    if after != 0 {
        letters.push(b'.');
        letters.digits(after, digits);
        while letters.bytes[letters.count - 1] == b'0' {
            letters.count -= 1;
        }
    }
}

/// Writes numbers, each after a space.
#[inline]
pub(crate) fn write_numbers(
    out: &mut String,
    values: impl IntoIterator<Item = f64>,
    digits: usize,
) {
    let shift = 10f64.powi(digits as i32);
    let mut letters = Letters { bytes: [0; 128], count: 0 };
    for value in values {
        // A number has no more than 32 letters.
        if letters.count + 32 > letters.bytes.len() {
            letters.flush(out);
        }
        letters.push(b' ');
        write_fixed(out, &mut letters, value, digits, shift);
    }
    letters.flush(out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fixed(value: f64, digits: usize) -> String {
        let mut out = String::new();
        write_numbers(&mut out, [value], digits);
        out.split_off(1)
    }

    /// Digit by digit from the last to the first; what has more digits than a whole number can tell is told as it is.
    fn slowly(value: f64, digits: usize) -> String {
        let scaled = (value * 10f64.powi(digits as i32)).abs();
        if scaled >= 9e15 {
            return value.to_string();
        }
        let whole = scaled as u64;
        let number = whole + u64::from(scaled - whole as f64 >= 0.5);
        let text = format!("{number:0>width$}", width = digits + 1);
        let (before, after) = text.split_at(text.len() - digits);
        let sign = if value < 0.0 && number != 0 { "-" } else { "" };
        match after.trim_end_matches('0') {
            "" => format!("{sign}{before}"),
            after => format!("{sign}{before}.{after}"),
        }
    }

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        for (value, digits, text) in [
            (0.0, 6, "0"),
            (-0.0, 6, "0"),
            (1.0, 6, "1"),
            (-120.0, 6, "-120"),
            (0.5, 6, "0.5"),
            (-0.000001, 6, "-0.000001"),
            (-0.0000004, 6, "0"),
            (90.25, 6, "90.25"),
            (1234.56789, 2, "1234.57"),
            (99.999, 0, "100"),
            (1e30, 6, "1000000000000000000000000000000"),
        ] {
            assert_eq!(fixed(value, digits), text);
        }
    }

    proptest! {
        #[test]
        fn numbers_are_written_as_digit_by_digit(
            values in proptest::collection::vec(-1e4f64..1e4, 1..20),
            power in -6i32..6,
            digits in 0usize..10,
        ) {
            let values: Vec<f64> = values.iter().map(|value| value * 10f64.powi(power)).collect();
            let wanted: String =
                values.iter().map(|&value| format!(" {}", slowly(value, digits))).collect();
            let mut out = String::new();
            write_numbers(&mut out, values, digits);
            prop_assert_eq!(out, wanted);
        }

        #[test]
        fn what_is_written_is_within_half_a_digit(value in -1e6f64..1e6, digits in 0usize..9) {
            let read: f64 = fixed(value, digits).parse().unwrap();
            prop_assert!((read - value).abs() <= 0.5001 * 10f64.powi(-(digits as i32)) + 1e-9);
        }
    }
}
