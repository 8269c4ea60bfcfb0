//! Who waits for whom in large backlogs of five shapes. The benchmark makes the same ones.

/// The shapes.
pub const SHAPES: [&str; 5] = ["layered", "chain", "flat", "wide", "cycle"];

/// The stories that each story depends on; `dice` is the state of a small generator.
pub fn blockers(shape: &str, number: u32, last: u32, dice: &mut u64) -> Vec<u32> {
    match (shape, number) {
        ("cycle", 1) => return vec![3],
        ("cycle", 2) => return vec![1],
        ("cycle", 3) => return vec![2],
        ("cycle", 4) => return vec![last + 1000],
        ("flat", _) | (_, 1) => return Vec::new(),
        ("chain", _) => return vec![number - 1],
        ("wide", _) => return vec![1],
        _ => {}
    }
    let mut roll = |sides: u32| {
        *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*dice >> 33) as u32 % sides
    };
    let mut all: Vec<u32> = (0..roll(4)).map(|_| number - 1 - roll((number - 1).min(50))).collect();
    all.sort_unstable();
    all.dedup();
    all
}
