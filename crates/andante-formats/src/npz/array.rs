//! Arrays of numbers in numpy's `.npy` format.

use super::archive::charge;
use crate::ReadError;

/// Numbers in rows: the first axis of the array, and all others together.
#[derive(Debug)]
pub(super) struct NumberArray {
    shape: Vec<usize>,
    /// Row after row.
    values: Vec<f64>,
}

impl NumberArray {
    /// Reads a `.npy` file; what its numbers take is taken from an allowance of bytes first.
    pub fn read(bytes: &[u8], allowance: &mut u64) -> Result<Self, ReadError> {
        let fail = |message: &str| ReadError::file(message);
        let (header, data) = parts(bytes).ok_or_else(|| fail("is not an array of numpy"))?;
        let header =
            Header::parse(header).ok_or_else(|| fail("has a heading that says no shape"))?;
        let (little, number) = number(&header.kind).ok_or_else(|| {
            let kind: String = header.kind.chars().take(20).collect();
            ReadError::file(format!("is of `{kind}`, not of plain numbers"))
        })?;
        let count = header.shape.iter().try_fold(1usize, |count, &axis| count.checked_mul(axis));
        let whole = count.and_then(|count| count.checked_mul(number.width()));
        if whole != Some(data.len()) {
            let message =
                format!("has {} bytes of numbers and not what its shape asks for", data.len());
            return Err(ReadError::file(message));
        }
        // A number is longer here than it may be there, and put in order it is there twice.
        let copies = if header.by_columns { 2 } else { 1 };
        let each = copies * size_of::<f64>() as u64;
        charge(allowance, (count.unwrap_or(0) as u64).saturating_mul(each))?;
        let stored: Vec<f64> = if number.width() == 0 {
            Vec::new()
        } else {
            data.chunks_exact(number.width()).map(|bytes| number.value(bytes, little)).collect()
        };
        let values = if header.by_columns { by_rows(&stored, &header.shape) } else { stored };
        Ok(Self { shape: header.shape, values })
    }

    /// The length of the first axis; 1 for a single number.
    pub fn rows(&self) -> usize {
        self.shape.first().copied().unwrap_or(1)
    }

    /// True if its rows are one row of numbers each, or rows of so many.
    pub fn is_of(&self, many: usize) -> bool {
        self.shape.len() < 3 || self.shape.last() == Some(&many)
    }

    /// True if its rows end in squares of nine numbers.
    pub fn is_of_matrices(&self) -> bool {
        self.shape.len() > 2 && self.shape.ends_with(&[3, 3])
    }

    /// The count of numbers in a row.
    pub fn width(&self) -> usize {
        self.shape.iter().skip(1).fold(1, |all: usize, &axis| all.saturating_mul(axis))
    }

    /// A number of a row that there is.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.width() + column]
    }

    /// The number of an array that has one.
    pub fn only(&self) -> Option<f64> {
        match self.values.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }
}

/// The heading and the numbers.
fn parts(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (&[major, _], rest) = rest.split_first_chunk()?;
    let (length, rest) = match major {
        1 => {
            let (length, rest) = rest.split_first_chunk()?;
            (usize::from(u16::from_le_bytes(*length)), rest)
        }
        2 | 3 => {
            let (length, rest) = rest.split_first_chunk()?;
            (u32::from_le_bytes(*length) as usize, rest)
        }
        _ => return None,
    };
    let (header, data) = rest.split_at_checked(length)?;
    Some((std::str::from_utf8(header).ok()?, data))
}

/// What a heading says: `{'descr': '<f8', 'fortran_order': False, 'shape': (2, 156), }`.
struct Header {
    kind: String,
    by_columns: bool,
    shape: Vec<usize>,
}

impl Header {
    fn parse(text: &str) -> Option<Self> {
        let after = |key: &str| {
            let (_, rest) = text.split_once(&format!("'{key}'"))?;
            Some(rest.trim_start().strip_prefix(':')?.trim_start())
        };
        let kind = after("descr")?;
        // Structures are lists; they are no plain numbers, which is told by the word.
        let kind = match kind.strip_prefix('\'') {
            Some(quoted) => quoted.split_once('\'')?.0,
            None => "a structure",
        };
        let by_columns = match after("fortran_order")? {
            order if order.starts_with("True") => true,
            order if order.starts_with("False") => false,
            _ => return None,
        };
        let (axes, _) = after("shape")?.strip_prefix('(')?.split_once(')')?;
        let axes = axes.split(',').map(str::trim).filter(|axis| !axis.is_empty());
        // numpy has no more than 32 either.
        let axes = axes.take(33).map(|axis| axis.parse().ok());
        let shape: Vec<usize> = axes.collect::<Option<_>>()?;
        (shape.len() <= 32).then(|| Self { kind: kind.to_owned(), by_columns, shape })
    }
}

/// A kind of number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Float(usize),
    Signed(usize),
    Unsigned(usize),
}

fn number(kind: &str) -> Option<(bool, Number)> {
    let mut letters = kind.chars();
    let little = match letters.next()? {
        '<' | '|' | '=' => true,
        '>' => false,
        _ => return None,
    };
    let class = letters.next()?;
    let width: usize = letters.as_str().parse().ok()?;
    let number = match (class, width) {
        ('f', 4 | 8) => Number::Float(width),
        ('i', 1 | 2 | 4 | 8) => Number::Signed(width),
        ('u', 1 | 2 | 4 | 8) => Number::Unsigned(width),
        _ => return None,
    };
    Some((little, number))
}

impl Number {
    fn width(self) -> usize {
        match self {
            Self::Float(width) | Self::Signed(width) | Self::Unsigned(width) => width,
        }
    }

    fn value(self, bytes: &[u8], little: bool) -> f64 {
        let mut word = [0; 8];
        for (slot, byte) in word.iter_mut().zip(bytes) {
            *slot = *byte;
        }
        if !little {
            word[..bytes.len().min(8)].reverse();
        }
        let bits = u64::from_le_bytes(word);
        let unused = 64 - 8 * self.width() as u32;
        match self {
            Self::Float(4) => f64::from(f32::from_bits(bits as u32)),
            Self::Float(_) => f64::from_bits(bits),
            Self::Signed(_) => (((bits << unused) as i64) >> unused) as f64,
            Self::Unsigned(_) => bits as f64,
        }
    }
}

/// Numbers that were stored with the first axis running fastest.
fn by_rows(stored: &[f64], shape: &[usize]) -> Vec<f64> {
    let mut place = vec![0; shape.len()];
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = 1;
    for &axis in shape {
        strides.push(stride);
        stride *= axis;
    }
    let mut values = Vec::with_capacity(stored.len());
    for _ in 0..stored.len() {
        let at: usize = place.iter().zip(&strides).map(|(at, stride)| at * stride).sum();
        values.push(stored[at]);
        for axis in (0..shape.len()).rev() {
            place[axis] += 1;
            if place[axis] < shape[axis] {
                break;
            }
            place[axis] = 0;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\0".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<NumberArray, ReadError> {
        let mut endless = u64::MAX;
        NumberArray::read(bytes, &mut endless)
    }

    fn all(header: &str, data: &[u8]) -> Vec<f64> {
        read(&file(header, data)).unwrap().values
    }

    #[test]
    fn numbers_of_every_kind_and_order_are_read() {
        let head = |kind: &str, order: &str, shape: &str| {
            format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n")
        };
        let floats: Vec<u8> = [1.5f32, -2.0].iter().flat_map(|v| v.to_be_bytes()).collect();
        assert_eq!(all(&head(">f4", "False", "(2,)"), &floats), [1.5, -2.0]);
        assert_eq!(all(&head("<i2", "False", "()"), &(-3i16).to_le_bytes()), [-3.0]);
        assert_eq!(all(&head("|u1", "False", "(2,1)"), &[200, 7]), [200.0, 7.0]);
        let doubles: Vec<u8> = (0..6).flat_map(|v| f64::from(v).to_le_bytes()).collect();
        let columns = read(&file(&head("<f8", "True", "(2, 3)"), &doubles)).unwrap();
        assert_eq!(columns.values, [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]);
        assert_eq!((columns.rows(), columns.width(), columns.at(1, 2)), (2, 3, 5.0));
    }

    #[test]
    fn what_is_no_array_of_numbers_is_refused_with_its_reason() {
        let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert!(error(b"").contains("not an array of numpy"));
        assert!(error(b"\x93NUMPY\x01\0\xff\xff{").contains("not an array of numpy"));
        assert!(error(&file("{'descr': '<f8'}", &[])).contains("no shape"));
        let object = "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}";
        assert!(error(&file(object, &[0; 8])).contains("`|O`, not of plain numbers"));
        let huge = "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}";
        assert!(error(&file(huge, &[0; 8])).contains("8 bytes"));
        let short = "{'descr': '<f8', 'fortran_order': True, 'shape': (2,)}";
        assert!(error(&file(short, &[0; 8])).contains("8 bytes"));
    }

    #[test]
    fn numbers_are_paid_for_as_long_as_they_become() {
        for (order, each) in [("False", 8), ("True", 16)] {
            let head = format!("{{'descr': '|u1', 'fortran_order': {order}, 'shape': (10, 3)}}");
            let bytes = file(&head, &[7; 30]);
            let mut allowance = 30 * each + 5;
            assert!(NumberArray::read(&bytes, &mut allowance).is_ok());
            assert_eq!(allowance, 5);
            let error = NumberArray::read(&bytes, &mut (30 * each - 1)).unwrap_err().to_string();
            assert!(error.contains("more memory"), "{error}");
        }
    }
}
