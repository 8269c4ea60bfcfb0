#!/bin/sh
# Runs the checks in checks.sh and speaks the Test Anything Protocol.
failed=0
number=0
check() {
  number=$((number + 1))
  if [ "$2" = "$3" ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"
    echo "# got '$2', wanted '$3'"
    failed=$((failed + 1))
  fi
}
. ./checks.sh
echo "1..$number"
exit "$failed"
