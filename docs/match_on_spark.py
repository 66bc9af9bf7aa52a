"""Match a run on a Spark cluster, and save its judged rankings for everything after.

    spark-submit --py-files rankscope.zip match_on_spark.py \\
        qrels.txt hdfs:///runs/tuesday.parquet tuesday.judged.parquet -m nDCG@10 RR@10

The qrels and the file that is written are on the machine of the driver; the run is where the
executors can read it. spark.md says what rankscope.zip is.
"""

import argparse
import sys

from pyspark.sql import SparkSession
from rankscope import PRESETS, RankscopeError, match_spark, parse, read_qrels, save, score


def main() -> None:
    """Judge, save, and print the mean of each measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("qrels", help="a file of judgments")
    parser.add_argument("run", help="Parquet files with columns query, document and score")
    parser.add_argument("output", help="the file to write, NAME.judged.parquet")
    parser.add_argument("-m", "--measures", nargs="+", default=["nDCG@10"], type=parse)
    parser.add_argument("--convention", choices=PRESETS, default="trec_eval")
    parser.add_argument("--order", help="the column that has the order of equal scores")
    parser.add_argument("--partitions", type=int, help="parts that the run is divided into")
    parser.add_argument("--depth", type=int, default=0, help="keep unjudged documents to here")
    args = parser.parse_args()
    session = SparkSession.builder.appName("rankscope").getOrCreate()
    run = session.read.parquet(args.run)
    judged = match_spark(
        *(read_qrels(args.qrels), run, PRESETS[args.convention]),
        order=args.order,
        partitions=args.partitions,
        name=args.run,
        depth=args.depth,
    )
    for note in judged.notes:
        print(f"{args.run}: {note}", file=sys.stderr)
    save(judged, args.output, name=args.run)
    scores = score(judged, args.measures)
    for name in scores.ledgers:
        print(f"{name}\t{scores.average(name):.4f}")


if __name__ == "__main__":
    try:
        main()
    except RankscopeError as error:
        sys.exit(f"match_on_spark: {error}")
