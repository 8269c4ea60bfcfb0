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
echo "1..2"
check "ten percent off" "$(sh discount.sh 1000 10)" 900
check "no discount" "$(sh discount.sh 1000 0)" 1000
exit "$failed"
