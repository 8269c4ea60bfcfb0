//! TypeScript and JavaScript.

use super::check;

const FILES: &[&str] = &[
    "src/domain/model.ts",
    "src/cli/index.ts",
    "src/cli/args.tsx",
    "src/cli/types.d.ts",
    "src/cli/old.cjs",
    "src/cli/data.json",
    "src/cli/new.mts",
    "src/cli/both.js",
    "src/cli/both.ts",
];

#[test]
fn what_is_an_import() {
    check(
        FILES,
        "src/domain/model.ts",
        &[
            ("import \"../cli\"", &["1 src/cli/index.ts"]),
            ("import x from '../cli/args';", &["1 src/cli/args.tsx"]),
            ("import x, { y as z, default as w } from \"../cli/args.jsx\"", &["1 src/cli/args.tsx"]),
            ("import * as x from '../cli/index.js'", &["1 src/cli/index.ts"]),
            ("import type { A } from '../cli/types'", &["1 src/cli/types.d.ts"]),
            ("import { type A, 'odd name' as b } from '../cli/new.mjs'", &["1 src/cli/new.mts"]),
            ("import from from '../cli'", &["1 src/cli/index.ts"]),
            ("import {from} from '../cli'", &["1 src/cli/index.ts"]),
            ("import {\n  a, // from 'x'\n  b,\n} /* from 'y' */ from\n  '../cli'", &["5 src/cli/index.ts"]),
            ("import a from'../cli';import b from\"../cli/args\"", &["1 src/cli/args.tsx", "1 src/cli/index.ts"]),
            ("import data from '../cli/data' with { type: 'json' }", &["1 src/cli/data.json"]),
            ("import x = require('../cli/old')", &["1 src/cli/old.cjs"]),
            ("import defer * as x from '../cli'", &["1 src/cli/index.ts"]),
            ("export * from '../cli'", &["1 src/cli/index.ts"]),
            ("export * as cli from '../cli'", &["1 src/cli/index.ts"]),
            ("export type { A } from '../cli'", &["1 src/cli/index.ts"]),
            ("export { a as default, b }\n from '../cli'", &["2 src/cli/index.ts"]),
            ("const x = await import('../cli')", &["1 src/cli/index.ts"]),
            ("x(() => import(/* chunk: 'y' */ `../cli`, { with: {} }))", &["1 src/cli/index.ts"]),
            ("let x: import('../cli').Args", &["1 src/cli/index.ts"]),
            ("const { a } = require(\"../cli/old.cjs\")", &["1 src/cli/old.cjs"]),
            ("module.require('../cli'); [...require('../cli/args')]", &["1 src/cli/args.tsx", "1 src/cli/index.ts"]),
            ("import x from '../cli/both'", &["1 src/cli/both.ts"]),
            ("import x from '../cli/both.js'", &["1 src/cli/both.js"]),
            ("import x from '@/cli/args'", &["1 src/cli/args.tsx"]),
            ("import x from '../cli/args?raw'", &["1 src/cli/args.tsx"]),
            ("import x from '../cli/generated'", &["1 src/cli/generated"]),
            ("import x from '../../../outside'", &[]),
            ("import fs from 'node:fs'; import y from '@scope/pkg/sub'", &["1 [@scope/pkg/sub]", "1 [node:fs]"]),
            ("import x from '../\\x63li'", &["1 src/cli/index.ts"]),
            ("#!/usr/bin/env node\nimport '../cli'", &["2 src/cli/index.ts"]),
            ("const r = /['\"`]/g\nimport '../cli'", &["2 src/cli/index.ts"]),
            ("const r = a / b / c\nimport '../cli'", &["2 src/cli/index.ts"]),
            ("const r = /[/'\"`]\\//\nimport '../cli'", &["2 src/cli/index.ts"]),
            ("const t = `a ${ b({ c: `d ${e}` }) } '`\nimport '../cli'", &["2 src/cli/index.ts"]),
            ("const t = `${ await import('../cli') }`", &["1 src/cli/index.ts"]),
            ("const p = <p>It's {name}, isn't it?</p>\nimport '../cli'", &["2 src/cli/index.ts"]),
            ("const p = <A b={c} />\nconst q = <b>x</b>\nimport '../cli'", &["3 src/cli/index.ts"]),
            ("declare module 'x' {\n  import { A } from '../cli'\n}", &["2 src/cli/index.ts"]),
            ("import { \u{540d}\u{524d} } from '../cli/caf\u{e9}'", &["1 src/cli/caf\u{e9}"]),
        ],
    );
}

#[test]
fn what_only_looks_like_an_import() {
    check(
        FILES,
        "src/domain/model.ts",
        &[
            ("// import '../cli'\n/* import '../cli' */", &[]),
            ("const a = \"import '../cli'\"", &[]),
            ("const a = 'it\\'s import(\"../cli\")'", &[]),
            ("const a = `\nimport '../cli'\n`", &[]),
            ("const a = `${x}\nimport '../cli'\nrequire('../cli')`", &[]),
            ("const a = /import '..\\/cli'/", &[]),
            ("const a = { import: '../cli', from: '../cli' }", &[]),
            ("a.import('../cli'); a.require('../cli'); a?.require('../cli')", &[]),
            ("function require(x) {}", &[]),
            ("import(name); require(name); import(`../${name}`); require('../cli' + name)", &[]),
            ("import.meta.resolve('../cli')", &[]),
            ("export const from = '../cli'; export { from }; export default '../cli'", &[]),
            ("export {\n a }\nconst x = 'y'", &[]),
            ("const important = '../cli', exported = from", &[]),
            ("const p = <p>please import x from \"../cli\"</p>", &[]),
        ],
    );
}
