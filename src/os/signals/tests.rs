//! Tests of the mask of ignored signals; counting real ones is tested where a process is there to be signalled
//! (`process/tests/real.rs`).

use super::*;

#[test]
fn the_mask_of_ignored_signals_is_read() {
    let status = "Name:\tcat\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001003\nSigCgt:\t0000000000000000\n";
    let ignored = ignored_in(status);
    assert_ne!(ignored & mask(SIGHUP), 0);
    assert_ne!(ignored & mask(SIGINT), 0);
    assert_eq!(ignored & mask(SIGTERM), 0);
    assert_eq!((ignored_in(""), ignored_in("SigIgn: what\n")), (0, 0));
    assert_eq!((mask(1), mask(15), mask(0), mask(99)), (1, 1 << 14, 0, 0));
}

#[test]
fn watching_twice_is_watching_once_and_nothing_is_counted_without_a_signal() {
    watch().expect("watched");
    watch().expect("watched");
    assert_eq!((interrupted(), interrupts()), (None, Interrupts::default()));
}
