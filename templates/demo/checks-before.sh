check "ten percent off" "$(sh discount.sh 1000 10)" 900
check "no discount" "$(sh discount.sh 1000 0)" 1000
