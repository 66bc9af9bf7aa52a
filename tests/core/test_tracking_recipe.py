"""The page on MLflow and W&B: its code runs, logs the means, and attaches a file that opens.

The trackers are stand-ins that record calls. The same code ran with MLflow 3.17 and W&B 0.31.
"""

import re
import shutil
import sys
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from metrics import evaluate, read_judged, read_qrels, read_run

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(
    r"```python\n(.*?)```", (ROOT / "docs/tracking.md").read_text("utf-8"), re.DOTALL
)


@pytest.fixture
def run_page(tmp_path, monkeypatch):
    """Run the page's code beside a run of the shop, with trackers that record what they get."""
    shop = ROOT / "sample_data" / "shop_search"
    shutil.copy(shop / "qrels.txt", tmp_path / "qrels.txt")
    shutil.copy(shop / "bm25.run", tmp_path / "new.run")
    monkeypatch.chdir(tmp_path)
    trackers = {name: MagicMock(name=name) for name in ("mlflow", "wandb")}
    for name, tracker in trackers.items():
        monkeypatch.setitem(sys.modules, name, tracker)
    names = {}
    for block in BLOCKS:
        exec(block.replace("from rankscope", "from metrics"), names)
    return trackers


def test_the_recipes_log_the_means_and_attach_the_judged_run(run_page):
    scores = evaluate(read_qrels("qrels.txt"), read_run("new.run"), ["nDCG@10", "AP"])
    means = {name: scores.summary(name) for name in ("nDCG@10", "AP")}
    mlflow, wandb = run_page["mlflow"], run_page["wandb"]
    mlflow.log_metrics.assert_called_once_with({"nDCG_10": means["nDCG@10"], "AP": means["AP"]})
    mlflow.log_artifact.assert_called_once_with("new.judged.parquet")
    run = wandb.init.return_value.__enter__.return_value
    run.log.assert_called_once_with(means)
    wandb.Artifact.return_value.add_file.assert_called_once_with("new.judged.parquet")
    run.log_artifact.assert_called_once_with(wandb.Artifact.return_value)
    found = read_judged("new.judged.parquet")
    assert (found.name, found.tags, found.commit) == ("new", ("nightly",), "1f3a9c2")
    assert len(BLOCKS) == 3
