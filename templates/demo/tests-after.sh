#!/bin/sh
# The tests of discount.sh, in the Test Anything Protocol.
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
echo "1..4"
check "ten percent off" "$(sh discount.sh 1000 10)" 900
check "no discount" "$(sh discount.sh 1000 0)" 1000
check "everything off" "$(sh discount.sh 1000 100)" 0
check "more than everything is refused" "$(sh discount.sh 1000 120 2>/dev/null || echo refused)" refused
exit "$failed"
