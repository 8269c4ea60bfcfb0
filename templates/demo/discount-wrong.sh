#!/bin/sh
# discount.sh PRICE PERCENT: the price in cents after a discount.
if [ "$2" -ge 100 ]; then
  echo "a discount is at most 100 percent" >&2
  exit 1
fi
echo $(( $1 - $1 * $2 / 100 ))
