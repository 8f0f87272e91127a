//! Numbers in words that are compared with each other.

/// A number as text: with so many digits after the point, and with as many more as tell it from the number that it is
/// compared with, so that nothing is "1.65 m too short, where 1.65 m are needed".
///
/// ```
/// use andante_skeleton::told_apart;
///
/// assert_eq!(told_apart(1.2, 1.65, 2), "1.20");
/// assert_eq!([told_apart(1.6497, 1.65, 2), told_apart(1.65, 1.6497, 2)], ["1.6497", "1.6500"]);
/// assert_eq!(told_apart(1.65, 1.65, 2), "1.65");
/// ```
pub fn told_apart(value: f32, other: f32, digits: usize) -> String {
    // Nearer neighbours than these are one number to whoever reads them.
    let most = digits + 6;
    let differs = |&digits: &usize| format!("{value:.digits$}") != format!("{other:.digits$}");
    let enough = if value == other { None } else { (digits..most).find(differs) };
    let digits = enough.unwrap_or(if value == other { digits } else { most });
    format!("{value:.digits$}")
}
