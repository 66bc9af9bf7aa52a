"""The choices that hold where nobody makes another."""

MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100")
"""The measures scored and tested: graded, binary, first hit, first page, first stage."""
MEASURE = MEASURES[0]
"""The one measure where a single one is shown."""
DEPTH = 10
"""The top of a ranking, where neither the measure nor the user sets a cutoff."""
TEST = "randomisation"
"""The paired test of two runs."""
ALPHA = 0.05
"""Below this corrected p-value, a difference is reported as unlikely to be noise."""
CONFIDENCE = 0.95
"""The level of every interval."""
SEED = 0
"""The seed of random draws."""
