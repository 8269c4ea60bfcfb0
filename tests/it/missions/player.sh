#!/bin/sh
# A stand-in for an agent: reads its contract, notes that it was called, and does what the case says.
prompt=$(cat)
field() { printf '%s\n' "$prompt" | sed -n "s/^  \"$1\": \"\(.*\)\",\{0,1\}\$/\1/p" | head -n 1; }
role=$(field role)
child=$(field child)
case "$child" in *-wp-*) wp=$(printf '%s' "$child" | sed 's/.*-wp-\([0-9]*\)-.*/\1/') ;; *) wp=final ;; esac
echo "$child" >>"$CASE/children"
printf '%s\n' "$prompt" >"$CASE/prompt-$child"
made() { echo 'RAPID-ANSWER {"implementation_summary":"made it","files_changed":[],"tests_run":[],"test_results":"all pass"}'; }
passed() { echo 'RAPID-ANSWER {"verdict":"pass","findings":[]}'; }
failed() { echo 'RAPID-ANSWER {"verdict":"fail","findings":["not good"]}'; }
# A part of the project that works.
part() { mkdir -p "$(dirname "$1")" && echo 'true' >"$1"; }
# The usual: a maker makes its part, a checker passes it.
usual() { case "$role" in checker) passed ;; *) part "parts/$wp.sh"; made ;; esac; }
. "$CASE/script"
