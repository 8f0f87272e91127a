//! Decimal numbers from bytes, exactly rounded.

/// Powers of ten that a double holds exactly.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Why bytes are not a number that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Not a number at all.
    Malformed,
    /// `nan`, `inf`, or too large for single precision, which is what transforms are made of.
    NotFinite,
}

impl Fault {
    /// The end of a sentence that begins with the offending word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Malformed => "is not a number",
            Self::NotFinite => "is not a finite number",
        }
    }
}

/// Reads the number that `bytes` begin with, as its value and its length in bytes.
///
/// The number ends where it can end: the caller decides what may follow. This lets `0.0-7.5`, which
/// some exporters write in fixed columns, be read as two numbers.
#[inline]
pub(crate) fn number(bytes: &[u8]) -> Result<(f64, usize), Fault> {
    let mut at = 0;
    let negative = match bytes.first() {
        Some(b'-') => {
            at = 1;
            true
        }
        Some(b'+') => {
            at = 1;
            false
        }
        _ => false,
    };
    let start = at;
    let mut mantissa: u64 = 0;
    while let Some(digit) = digit(bytes, at) {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(digit);
        at += 1;
    }
    let mut digits = at - start;
    let mut exponent: i32 = 0;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        let fraction = at;
        while let Some(digit) = digit(bytes, at) {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(digit);
            at += 1;
        }
        digits += at - fraction;
        // A number longer than this takes the slow way below, whatever the exponent is here.
        exponent = -(at.saturating_sub(fraction).min(1000) as i32);
    }
    if digits == 0 {
        return Err(fault(bytes));
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let (power, length) = power(&bytes[at + 1..]);
        if length > 0 {
            exponent = exponent.saturating_add(power);
            at += 1 + length;
        }
    }
    // Clinger's fast path (1990): a whole number below 2^53 and an exact power of ten make one
    // rounding, which is the right one.
    let value = if digits <= 19 && mantissa < 1 << 53 && exponent.unsigned_abs() <= 22 {
        let power = TENS[exponent.unsigned_abs() as usize];
        let magnitude =
            if exponent < 0 { mantissa as f64 / power } else { mantissa as f64 * power };
        if negative { -magnitude } else { magnitude }
    } else {
        slowly(&bytes[..at])
    };
    if value.abs() <= f64::from(f32::MAX) { Ok((value, at)) } else { Err(Fault::NotFinite) }
}

#[inline]
fn digit(bytes: &[u8], at: usize) -> Option<u64> {
    let value = bytes.get(at)?.wrapping_sub(b'0');
    (value < 10).then_some(u64::from(value))
}

/// The whole number after an `e` and its length; a length of 0 if there is none.
fn power(bytes: &[u8]) -> (i32, usize) {
    let (sign, start) = match bytes.first() {
        Some(b'-') => (-1, 1),
        Some(b'+') => (1, 1),
        _ => (1, 0),
    };
    let mut at = start;
    let mut value: i32 = 0;
    while let Some(digit) = digit(bytes, at) {
        value = value.saturating_mul(10).saturating_add(digit as i32);
        at += 1;
    }
    if at == start { (0, 0) } else { (sign * value, at) }
}

/// Long or extreme numbers, by the standard library's parser. The bytes are known to be a number.
#[cold]
fn slowly(bytes: &[u8]) -> f64 {
    std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

/// Tells the spellings of "not a number" and "infinite" of various programs from other words.
#[cold]
fn fault(bytes: &[u8]) -> Fault {
    let bytes = bytes.strip_prefix(b"-").or(bytes.strip_prefix(b"+")).unwrap_or(bytes);
    let starts =
        |word: &[u8]| bytes.get(..word.len()).is_some_and(|b| b.eq_ignore_ascii_case(word));
    if starts(b"nan") || starts(b"inf") { Fault::NotFinite } else { Fault::Malformed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_spelling_is_read_up_to_its_end() {
        for (text, value, rest) in [
            ("0", 0.0, ""),
            ("-15.7154 ", -15.7154, " "),
            (".0083333", 0.0083333, ""),
            ("5.", 5.0, ""),
            ("+1e3", 1000.0, ""),
            ("-6.33626e-016 x", -6.33626e-16, " x"),
            ("0.0-7.5", 0.0, "-7.5"),
            ("1e", 1.0, "e"),
            ("1e+", 1.0, "e+"),
            ("1.5E-2-3", 0.015, "-3"),
            ("123456789012345678901234567890", 1.2345678901234568e29, ""),
            ("0.000000000000000000000000000000001", 1e-33, ""),
            ("1e-400", 0.0, ""),
        ] {
            let (read, length) = number(text.as_bytes()).unwrap();
            assert_eq!((read, &text[length..]), (value, rest), "{text}");
        }
    }

    #[test]
    fn words_are_refused() {
        for text in ["", "-", ".", "-.", "e5", "x", "--1", "\u{fffd}"] {
            assert_eq!(number(text.as_bytes()), Err(Fault::Malformed), "{text}");
        }
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused_as_such() {
        for text in ["nan", "-NaN(ind)", "inf", "-Infinity", "1e999", "-3.5e38", "9e99999999999"] {
            assert_eq!(number(text.as_bytes()), Err(Fault::NotFinite), "{text}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_standard_library(text in "[+-]?([0-9]{1,25}(\\.[0-9]{0,25})?|\\.[0-9]{1,25})([eE][+-]?[0-9]{1,2})?") {
            let expected: f64 = text.parse().unwrap();
            match number(text.as_bytes()) {
                Ok((value, length)) => {
                    prop_assert_eq!(value.to_bits(), expected.to_bits());
                    prop_assert_eq!(length, text.len());
                }
                Err(fault) => {
                    prop_assert_eq!(fault, Fault::NotFinite);
                    prop_assert!(expected.abs() > f64::from(f32::MAX));
                }
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            if let Ok((value, length)) = number(&bytes) {
                prop_assert!(value.is_finite() && length <= bytes.len() && length > 0);
            }
        }
    }
}
