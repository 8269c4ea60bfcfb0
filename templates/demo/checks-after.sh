check "ten percent off" "$(sh discount.sh 1000 10)" 900
check "no discount" "$(sh discount.sh 1000 0)" 1000
check "everything off" "$(sh discount.sh 1000 100)" 0
check "more than everything is refused" "$(sh discount.sh 1000 120 2>/dev/null || echo refused)" refused
