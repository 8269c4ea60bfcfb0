//! Whether a person is asked: each layer between an agent and a human gate, with real terminals and real processes above the
//! tool. And what a person is shown before they decide.

mod layers;
mod paged;
mod shown;
