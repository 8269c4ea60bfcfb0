#!/bin/sh
# A stand-in for an agent: reads its prompt, finds its story, and does what the case says. Installed under the name of each
# provider. $CASE holds the script of the case and what was seen.
[ "$1" = --version ] && echo "stand-in 1.0" && exit
prompt=$(cat)
file=$(printf '%s\n' "$prompt" | sed -n 's/^File: //p' | tail -n 1)
id=$(basename "$file" .md)
state() { sed -n '/^## Status/{n;s/[*\r]//g;p;q}' "$file"; }
# Only the first line of the two states may differ: bytes around it stay.
move() { sed -i "/^## Status/{n;s/[A-Z][A-Za-z ]*[a-z]/$1/}" "$file"; }
forward() {
    case "$(state)" in
    Draft) move Ready ;;
    Ready) move 'Tests Ready' ;;
    'Tests Ready' | 'In Progress') move 'In Review' ;;
    'In Review') move 'Business Review' ;;
    'Business Review') move Done ;;
    esac
}
echo "$(basename "$0") $id $(state)" >>"$CASE/turns"
printf '%s\n' "$prompt" >"$CASE/prompt"
. "$CASE/script"
