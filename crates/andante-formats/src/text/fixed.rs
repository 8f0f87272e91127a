//! Numbers with a fixed number of digits after the point.

use std::fmt::Write;

/// Appends a number, rounded to so many digits after the point, without zeros at its end. `shift` is ten to their power.
fn write_fixed(out: &mut String, value: f64, digits: usize, shift: f64) {
    // Whole numbers up to 2^53 are exact, and many times faster to print than fractions.
    let scaled = (value * shift).abs();
    if scaled >= 9e15 {
        // Writing to a string cannot fail.
        let _ = write!(out, "{value}");
        return;
    }
    let whole = scaled as u64;
    let mut rest = whole + u64::from(scaled - whole as f64 >= 0.5);
    if rest == 0 {
        out.push('0');
        return;
    }
    if value < 0.0 {
        out.push('-');
    }
    // Digits from the last to the first.
    let mut buffer = [0u8; 24];
    let mut start = buffer.len();
    let mut significant = false;
    let mut place = 0;
    while rest != 0 || place <= digits {
        if place == digits {
            if significant {
                start -= 1;
                buffer[start] = b'.';
            }
            significant = true;
        }
        let digit = (rest % 10) as u8;
        rest /= 10;
        significant |= digit != 0;
        if significant {
            start -= 1;
            buffer[start] = b'0' + digit;
        }
        place += 1;
    }
    // Digits are letters of one byte.
    out.push_str(std::str::from_utf8(&buffer[start..]).unwrap_or_default());
}

/// Writes numbers, each after a space.
#[inline]
pub(crate) fn write_numbers(
    out: &mut String,
    values: impl IntoIterator<Item = f64>,
    digits: usize,
) {
    let shift = 10f64.powi(digits as i32);
    for value in values {
        out.push(' ');
        write_fixed(out, value, digits, shift);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fixed(value: f64, digits: usize) -> String {
        let mut out = String::new();
        write_fixed(&mut out, value, digits, 10f64.powi(digits as i32));
        out
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
        fn what_is_written_is_within_half_a_digit(value in -1e6f64..1e6, digits in 0usize..9) {
            let read: f64 = fixed(value, digits).parse().unwrap();
            prop_assert!((read - value).abs() <= 0.5001 * 10f64.powi(-(digits as i32)) + 1e-9);
        }
    }
}
