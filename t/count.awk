# count.awk: sums the counts that the tests printed, as the last line; ends
# with status 1 if a test failed or none passed.

/^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+/ {
    split($0, number, /[^0-9]+/)
    failed += number[3] + number[4]
    passed += number[2] - number[3] - number[4]
}
/^ok / { passed++ }
/^not ok / { failed++ }

END {
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0 || passed == 0
}
