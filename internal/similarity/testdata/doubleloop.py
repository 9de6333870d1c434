"""The plain double loop that Join is measured against: the published rule over every pair of the
sentences on the input, one a line. Prints the pairs at or above the floor, and the seconds they took."""

import re
import sys
import time

FLOOR, MIN_TOKENS = 0.25, 8


def tokens(sentence):
    return set(re.findall(r"[a-z0-9]+", sentence.lower()))


def main():
    sentences = sys.stdin.read().splitlines()
    start = time.perf_counter()
    sets = [tokens(s) for s in sentences]
    pairs = 0
    for i, a in enumerate(sets):
        for b in sets[i + 1 :]:
            if len(a) >= MIN_TOKENS and len(b) >= MIN_TOKENS and len(a & b) / len(a | b) >= FLOOR:
                pairs += 1
    print(pairs, time.perf_counter() - start)


main()
