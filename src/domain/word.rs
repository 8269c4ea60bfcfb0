//! Closed sets of words: one macro that ties each variant of an enum to the word that records and people use for it.

/// Declares an enum whose variants are words; gives `ALL`, `as_str` and a `parse` whose fault has the code of its holder.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// Every word, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The word.
            pub const fn as_str(self) -> &'static str { match self { $($name::$variant => $word,)* } }

            /// Reads the word; a fault has the code of the object that holds it.
            pub fn parse(text: &str, code: $crate::diagnostics::Code) -> $crate::diagnostics::Result<$name> {
                $name::ALL.iter().copied().find(|word| word.as_str() == text).ok_or_else(|| {
                    let known: Vec<&str> = $name::ALL.iter().map(|word| word.as_str()).collect();
                    let fault = format!(concat!("'{}' is not ", $what, " ({})"), text.escape_debug(), known.join(", "));
                    $crate::domain::near::with_near(code.because(fault), text, &known)
                })
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.as_str()) }
        }

        impl From<$name> for $crate::domain::json::Value {
            fn from(word: $name) -> Self { $crate::domain::json::Value::Text(word.as_str().to_owned()) }
        }
    };
}

pub(crate) use words;
