// SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
// SPDX-License-Identifier: MIT

//! edge-rust: three calls deep, for half a second.
use std::hint::black_box;
use std::time::{Duration, Instant};

#[inline(never)]
fn charlie(count: u64) -> u64 {
    (0..count).fold(0, |sum, i| black_box(sum ^ i))
}

#[inline(never)]
fn bravo(count: u64) -> u64 {
    charlie(count) + black_box(1)
}

#[inline(never)]
fn alpha(count: u64) -> u64 {
    bravo(count) + black_box(2)
}

fn main() {
    let end = Instant::now() + Duration::from_millis(500);
    while Instant::now() < end {
        black_box(alpha(black_box(200000)));
    }
}
