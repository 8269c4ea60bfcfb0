#!/bin/sh
# discount.sh PRICE PERCENT: the price in cents after a discount.
echo $(( $1 - $1 * $2 / 100 ))
