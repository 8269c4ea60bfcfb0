//! Python.

use super::{check, leads};

const FILES: &[&str] = &[
    "src/app/__init__.py",
    "src/app/domain/__init__.py",
    "src/app/domain/model.py",
    "src/app/domain/json.py",
    "src/app/cli/__init__.py",
    "src/app/cli/args.py",
    "src/app/cli/types.pyi",
    "scripts/tool.py",
    "scripts/shared.py",
    "scripts/space/inner.py",
];

#[test]
fn what_is_an_import() {
    check(
        FILES,
        "src/app/domain/model.py",
        &[
            ("import app.cli.args", &["1 src/app/cli/args.py"]),
            ("import app.cli.args as a, os.path, json", &["1 src/app/cli/args.py", "1 [json]", "1 [os.path]"]),
            ("from app.cli import args", &["1 src/app/cli/args.py"]),
            ("from app.cli import Args", &["1 src/app/cli/__init__.py"]),
            ("from app.cli import types", &["1 src/app/cli/types.pyi"]),
            ("from app.cli.args import *", &["1 src/app/cli/args.py"]),
            (
                "from ..cli import (\n  args, # one\n  other as o,\n)",
                &["1 src/app/cli/__init__.py", "2 src/app/cli/args.py"],
            ),
            ("from .. import cli", &["1 src/app/cli/__init__.py"]),
            ("from . import json", &["1 src/app/domain/json.py"]),
            ("from .json import x", &["1 src/app/domain/json.py"]),
            ("from.json import x", &["1 src/app/domain/json.py"]),
            ("from ... import nothing", &[]),
            ("from app \\\n  .cli \\\r\n  import args", &["3 src/app/cli/args.py"]),
            ("if x: import app.cli", &["1 src/app/cli/__init__.py"]),
            ("try:\n    import app.cli\nexcept ImportError:\n    pass", &["2 src/app/cli/__init__.py"]),
            ("x = 1; import app.cli; from os import system", &["1 src/app/cli/__init__.py", "1 [os.system]"]),
            ("def f():\n\timport app.cli.args", &["2 src/app/cli/args.py"]),
            ("lazy import app.cli\nlazy from os import path", &["1 src/app/cli/__init__.py", "2 [os.path]"]),
            ("x = {'a': 1,\n 'b': [2]}\nimport app.cli", &["3 src/app/cli/__init__.py"]),
            ("'''doc\nstring'''\nimport app.cli", &["3 src/app/cli/__init__.py"]),
            ("x = f\"{y['a']}\"\nimport app.cli", &["2 src/app/cli/__init__.py"]),
            ("x = 'open\nimport app.cli", &["2 src/app/cli/__init__.py"]),
            ("\u{feff}import caf\u{e9}.\u{540d}\u{524d}", &["1 [caf\u{e9}.\u{540d}\u{524d}]"]),
            ("from os import *", &["1 [os]"]),
        ],
    );
}

#[test]
fn what_only_looks_like_an_import() {
    check(
        FILES,
        "src/app/domain/model.py",
        &[
            ("# import app.cli", &[]),
            ("\"\"\"\nimport app.cli\n\"\"\"", &[]),
            ("r'''\nfrom app import cli \\'''", &[]),
            ("x = 'import app.cli'", &[]),
            ("x = 'a\\\nimport app.cli'", &[]),
            ("x = rb\"\"\"\nimport app.cli\"\"\"", &[]),
            ("yield from app.cli", &[]),
            ("raise A from app", &[]),
            ("importlib.import_module('app.cli')", &[]),
            ("x = (\nimport_, from_)", &[]),
            ("a[b: c]; important = 1; from_app = 2", &[]),
            ("x.import_ = app.cli", &[]),
            ("from __future__ import annotations", &["1 [__future__.annotations]"]),
        ],
    );
}

#[test]
fn a_script_sees_its_neighbours_and_a_package_does_not() {
    let files: &[(&str, &str)] = &[
        ("scripts/tool.py", "import shared, space.inner\nfrom space import inner"),
        ("scripts/shared.py", ""),
        ("scripts/space/inner.py", ""),
        ("libs/one/pkg_one/__init__.py", ""),
        ("libs/one/pkg_one/a.py", "import pkg_two.b, b"),
        ("libs/two/pkg_two/__init__.py", ""),
        ("libs/two/pkg_two/b.py", ""),
        ("libs/one/pkg_one/b.py", ""),
    ];
    assert_eq!(
        leads(files, "scripts/tool.py"),
        ["1 scripts/shared.py", "1 scripts/space/inner.py", "2 scripts/space/inner.py"]
    );
    assert_eq!(leads(files, "libs/one/pkg_one/a.py"), ["1 libs/two/pkg_two/b.py", "1 [b]"]);
}
