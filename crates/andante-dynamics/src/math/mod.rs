//! Three-vectors, matrices and quaternions over [`Real`](crate::Real).

/// The arithmetic of a linear space, field by field.
macro_rules! linear {
    ($type:ident { $($field:ident),+ }) => {
        impl<R: Real> std::ops::Add for $type<R> {
            type Output = Self;
            #[inline(always)]
            fn add(self, o: Self) -> Self {
                $type { $($field: self.$field + o.$field),+ }
            }
        }
        impl<R: Real> std::ops::Sub for $type<R> {
            type Output = Self;
            #[inline(always)]
            fn sub(self, o: Self) -> Self {
                $type { $($field: self.$field - o.$field),+ }
            }
        }
        impl<R: Real> std::ops::Neg for $type<R> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                $type { $($field: -self.$field),+ }
            }
        }
        impl<R: Real> std::ops::Mul<R> for $type<R> {
            type Output = Self;
            #[inline(always)]
            fn mul(self, s: R) -> Self {
                $type { $($field: self.$field * s),+ }
            }
        }
        impl<R: Real> std::ops::AddAssign for $type<R> {
            #[inline(always)]
            fn add_assign(&mut self, o: Self) {
                *self = *self + o;
            }
        }
        impl<R: Real> std::ops::SubAssign for $type<R> {
            #[inline(always)]
            fn sub_assign(&mut self, o: Self) {
                *self = *self - o;
            }
        }
    };
}
pub(crate) use linear;

mod matrix;
mod quat;
mod vector;

pub use matrix::{Mat3, Sym3};
pub use quat::Quat;
pub use vector::{Vec3, vec3};
