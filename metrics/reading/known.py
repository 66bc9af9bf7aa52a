"""Files of the field that have no documents to rank: called by their name, with what to do.

Sources:

- MIND: https://github.com/msnews/msnews.github.io/blob/master/assets/doc/introduction.md
- nuggets: https://github.com/castorini/nuggetizer
- scores: https://github.com/usnistgov/trec_eval, https://ir-measur.es,
  https://github.com/embeddings-benchmark/results
- iKAT: https://www.trecikat.com, and the topics of https://www.treccast.ai
- Otto: https://github.com/otto-de/recsys-dataset
- candidates: ``top1000.dev`` of https://microsoft.github.io/msmarco/Datasets
- rerankers: https://docs.cohere.com/reference/rerank, https://jina.ai/reranker
- indexes: https://github.com/facebookresearch/faiss/wiki/Getting-started
- Azure: https://learn.microsoft.com/en-us/rest/api/searchservice/documents/search-post
- LangChain: ``Document`` of https://github.com/langchain-ai/langchain
"""

import re

import numpy as np

from ..arrays import Floats
from ..data import Qrels, Run
from .problems import File, ReadError, weight
from .rows import NUMBER
from .sources import lines


class KnownError(ReadError):
    """A file that is certainly of a form that is not read, so that no other role is tried."""


class ScoresError(KnownError):
    """A file with a score in each line and no ids, as a learned ranker writes for a LETOR file.

    ``read``: ``(n,)`` the scores.
    """

    def __init__(self, scores: Floats, file: File) -> None:
        fix = "Name the query and the document in each line, or add the LETOR file that was scored."
        problem = file.problem("E-FORMAT", "a number in each line", "a run or qrels", fix)
        super().__init__([problem], scores)
        self.file = file

    def run(self, qrels: Qrels, name: str) -> Run:
        """Return the run of these scores for the rows of qrels.

        Raises ReadError where their numbers differ, or the run has no room.
        """
        if len(self.read) != len(qrels):
            fix = f"Score each line of {qrels.name}, in its order."
            found, expected = f"{len(self.read):,} scores", f"{len(qrels):,}, one for each judgment"
            raise self.file.error("E-FORMAT", found, expected, fix)
        run = qrels.scored(self.read, name)
        self.file.keep(weight(run))
        return run


_RESULTS = "These are results: use the run and the qrels that they were computed from."
_MEASURE = (
    r"(?i:(?:n?dcg|map|mrr|recip_rank|gm_map|r_?prec|bpref|infap|num_\w+|p|r|rr|ap|err|f1|set_\w+|"
    r"recall|precision|hits|hit_rate)(?:_\d+|_cut_\d+|@\d+)?)"
)
_CERTAIN = r"(?i:(?:ndcg|map|recip_rank|recall|bpref|r_?prec)(?:_\w+)?|\w+@\d+)"
"""The names of measures in files of results, and those that hardly are the id of a document.

Listed here, because files are read before there are measures, and other tools have other names.
"""
KNOWN = (
    (
        r"\d+ \[\d+(,\d+)*\] *$|\d+\t\w+\t[^\t\n]*\t[^\t\n]*\tN\d+(-[01])?( N\d+(-[01])?)* *$",
        "impressions of MIND",
        "Write a row for each news: impression, news, and 1 / rank as score, or click as grade.",
    ),
    (
        r'(?s:\[?\s*\{(?=.*"(qid|query_id)":\s*["\d])(?!.*"(doc(ument|no)?(_?id)?|pid)":)'
        r'.*"nuggets":\s*\[\s*\{)',
        "nuggets and what supports them",
        "Measures of nuggets are not offered; use the ranking of the documents instead.",
    ),
    (
        r'\{"session": *\d+, *"(labels|events)":',
        "sessions of Otto",
        "Write a row for each aid: session_type, aid and, as its grade, 1.",
    ),
    (
        r'\{(?=(?s:.)*"turns":\s*\[)(?=(?s:.)*"passage_provenance":)',
        "a run of iKAT, by turns",
        "Write a row for each passage: turn_id, id and score.",
    ),
    (
        r'\[?\s*\{(?=(?s:.)*"turns?":\s*\[)(?=(?s:.)*"(raw_)?utterance":)',
        "topics of iKAT or CAsT",
        "Write a line for each turn: its id, a tab and the utterance.",
    ),
    (r"(?=[^\t\n]{22}\t)\w+ +\t\S+\t\S+ *$", "scores of trec_eval", _RESULTS),
    (rf"{_MEASURE} {{2,}}\S+ +-?\d*\.\d+ *$", "scores of trec_eval", _RESULTS),
    (
        r"(\S+\t)?(nDCG|AP|P|R|RR|ERR)(\([^)\n]*\))?@\d+\t\d*\.\d+ *$"
        r"|((\S+\t)?(nDCG|AP|RR|ERR|Bpref|Rprec)(\([^)\n]*\))?(@\d+)?\t\d*\.\d+ *\n){2}",
        "scores of ir_measures",
        _RESULTS,
    ),
    (
        rf'\{{\s*(?:"[^"]+":\s*\{{\s*)?"[^"]+":\s*\{{(?=[^{{}}]*,)(?=[^{{}}]*"{_CERTAIN}")'
        rf'(\s*"{_MEASURE}":\s*[-+.eE\d]+\s*(,|(?=\}})))+\}}',
        "scores of pytrec_eval or ranx",
        _RESULTS,
    ),
    (r'\{(?s:.){0,2000}"mteb_version":', "scores of MTEB", _RESULTS),
    (
        r"\d+\t\d+\t[^\t\n]* [^\t\n]*\t[^\t\n]* [^\t\n]*$",
        "candidates with their texts, as in MS MARCO",
        "They have no order: use the run of a ranker, and the texts in files of their own.",
    ),
    (
        r'\{(?=(?s:.)*"index":\s*\d)(?=(?s:.)*"relevance_score":)(?s:.)*"results":\s*\[',
        "an answer of a reranker, which has the places of documents and not their ids",
        "Write {query: {id: relevance_score}}, with the id of each document.",
    ),
    (
        r'\{(?=(?s:.)*"distances":\s*\[)(?=(?s:.)*"(indices|labels)":\s*\[)',
        "an answer of a vector index, which names no query",
        "Write {query: [id, …]}, with the nearest document first.",
    ),
    (
        r'\{(?=(?s:.)*"@search\.score":)',
        "an answer of Azure AI Search, which does not say which field is the id",
        "Write {query: {id: score}}.",
    ),
    (
        r'\[?\s*\{(?=(?s:.)*"page_content":)(?!(?s:.)*"(query|qid|query_id|question)":)',
        "documents of LangChain, which name no query",
        "Write {query: [id, …]}, with the best document first.",
    ),
    (
        r"[^\s:{\[]+:\s*\n +[^\s:]+: +-?\d",
        "YAML",
        "Write it as JSON: {query: {document: value}}.",
    ),
)
"""What the beginning of a file matches, its name, and what to do."""


def refuse_known(text: str, file: File) -> None:
    """Refuse a file by its beginning, or one of scores alone.

    Raises KnownError with the name of the form, and what to do.
    """
    # A record may be long, and its nuggets come last.
    begun = text[:40_000].lstrip()[:20_000]
    # Only a file that begins as scores do is walked to its end.
    if NUMBER.fullmatch(begun.partition("\n")[0].strip()):
        numbers = all(NUMBER.fullmatch(each.strip()) for each in lines(text.strip()))
        if numbers and np.isfinite(scores := np.array(text.split(), float)).all():
            raise ScoresError(scores, file)
    for tells, name, fix in KNOWN:
        if re.match(tells, begun, re.MULTILINE):
            raise KnownError([file.problem("E-FORMAT", name, "a run or qrels", fix)])
