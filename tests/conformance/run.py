#!/usr/bin/env python3
"""Holds a reader of ledgers to the cases beside this file: run.py [--family NAME] [--name TEXT] COMMAND...

The protocol is in README.md. Ends with 0 when every case is met, 1 when one is not, 2 when there is nothing to run."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
STATUS = {"proven": 0, "disproven": 1, "cannot_say": 2}


def git(directory, *arguments, feed=None):
    """Runs git in a directory."""
    subprocess.run(["git", *arguments], cwd=directory, stdin=feed, stdout=subprocess.DEVNULL, check=True)


def shortcoming(case, ended):
    """What is wrong with an answer; None when it is the expected one."""
    if ended.returncode != STATUS[case["answer"]]:
        return f"ends with {ended.returncode}, expected {STATUS[case['answer']]} ({case['answer']})"
    try:
        document = json.loads(ended.stdout)
    except ValueError as error:
        return f"prints no JSON document: {error}"
    if document.get("answer") != case["answer"]:
        return f"answers {document.get('answer')!r}, expected {case['answer']!r}"
    found = [finding.get("code") for finding in document.get("findings", [])]
    if not case["codes"]:
        return f"finds {found}, expected nothing" if found else None
    if case["codes"][0] not in found or any(code not in case["codes"] for code in found):
        return f"finds {sorted(set(map(str, found)))}, expected {case['codes']}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", help="only the cases of this family")
    parser.add_argument("--name", help="only cases whose name has this in it")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the reader, with its arguments")
    wanted = parser.parse_args()
    cases = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
    cases = [case for case in cases if wanted.family in (None, case["family"])]
    cases = [case for case in cases if wanted.name is None or wanted.name in case["name"]]
    if not cases or not wanted.command:
        parser.error("there is nothing to run")
    missed = 0
    with tempfile.TemporaryDirectory() as directory:
        all_of_them = pathlib.Path(directory, "all")
        all_of_them.mkdir()
        git(all_of_them, "init", "--quiet", "--bare", "--object-format=sha1")
        with open(HERE / "objects.pack", "rb") as pack:
            git(all_of_them, "index-pack", "--stdin", feed=pack)
        for number, case in enumerate(cases):
            # Each in a repository of its own: a reader may remember what it proved.
            repository = pathlib.Path(directory, str(number))
            shutil.copytree(all_of_them, repository, copy_function=os.link)
            # Written as a file: git refuses to name an object that is no commit.
            reference = repository / "refs/rapid/ledger"
            reference.parent.mkdir(parents=True, exist_ok=True)
            reference.write_text(case["tip"] + "\n")
            try:
                ended = subprocess.run(
                    wanted.command, cwd=repository, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False
                )
                why = shortcoming(case, ended)
            except subprocess.TimeoutExpired:
                why = "does not end within 120 seconds"
            if why:
                missed += 1
                print(f"missed {case['family']}: {case['name']}: {why}")
    print(f"{len(cases) - missed} of {len(cases)} cases are met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
