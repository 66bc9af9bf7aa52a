"""Valid files of each format, from which the fuzzer starts."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.fuzzing.mutation import LARGEST

BAD = Path(__file__).parents[1] / "data" / "bad_inputs"
TREC = {
    "run": b"q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1e-3 t\nq2 Q0 d1 1 -7 t\n",
    "shuffled": b"q1\tQ0\td1\t3\t2.5\tt\r\nq2 Q0 \xc3\xa9 1 9 t\r\n\r\nq1 Q0 d2 1 2.5 u\r\n",
    "no tag": b"q1 Q0 d1 1 2.5\nq1 Q0 d2 2 1.5\n",
    "MS MARCO": b"q1\td1\t1\nq1\td2\t2\nq2\td1\t1\n",
    "comments": b"# a run\n#1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\n",
    "header": b"query_id Q0 doc_id rank score tag\nq1 Q0 d1 1 2.5 t",
    "qrels": b"q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\nq2 0 d1 1\nq2 0 d3 -1\n",
    "grades": b"q1\t0\td1\t2.5\nq1 0 d\xd0\xb0 1\nq1 0 da 3",
}
TABLES = {
    "csv": b'query,document,score\nq1,01,2.5\nq1,1,1.0\nq2,"d,1",-3e-2\n',
    "tsv": b"query-id\tcorpus-id\tscore\nq1\ta\t3\nq1\tb\t0\n",
    "semicolons": b'pos;Topic;DocNo;Sim\r\n1;q1;01;2.5\r\n2;q1;1;1.0\r\n1;q2;"d;1";-3e-2',
    "pipes": b"qid|docid|grade\nq1|d1|3\nq1|d2|0\n",
    "sep": b"sep=;\nquery;document;grade\nq1;d1;3\nq1; d2 ;0\n;;\n",
    "graded list": b"doc_id,relevant\nd1,true\nd2,false\nd3,true\n",
    "ranks": b"qid,docno,rank\nq1,d1,1\nq1,d2,2\n",
    "no names": b"q1,d1,2.5\nq1,d2,1.5\n",
    "no names, grades": b'# by hand\nq1;d1;2\nq1;"d;2";0\n',
    "no names, ranks": b"q1\td1\t1\t2.5\nq1\td2\t2\t1.5\n",
    "trailing": b"query,doc,label,\nq1,d1,1,\nq1,d2,0,\n",
    "lists in cells": b"question,retrieved,relevant\nq1,\"['d1', 'd2']\",\"['d2']\"\n"
    b'q2,"[""d3""]","[""d3"", ""d4""]"\n',
    "lines in a cell": b'query,document,score,title\nq1,d1,2,"a\nb"\nq1,"d""2",1,c\n',
}
JUDGES = {
    "a column": b"judge,query,document,grade,reason\n"
    b"ann,q1,d1,2,exact\nbob,q1,d1,0,\nann,q2,d1,1,\n",
    "a column each": b"query;document;ann;bob;note\nq1;d1;2;1;x\nq1;d2;;0;\nq2;d1;1;2;\n",
    "labels": b"qid\tdocid\tlabel_1\tlabel_2\treason_1\nq1\td1\t2\t1\tx\nq1\td2\t0\t\ty\n",
    "lines": b'{"judge": "ann", "query": "q1", "document": "d1", "grade": 2, "reason": "r"}\n'
    b'{"judge": "m-7", "query": "q1", "document": "d1", "grade": 1, "confidence": 0.5}\n',
    "keys": b'[{"query": "q1", "document": "d1", "ann": 2, "bob": null}, '
    b'{"query": "q1", "document": "d2", "ann": 0, "bob": 1, "llm_label": 1}]',
}
JSON = {
    "values": b'{"q1": {"d1": 2.5, "d2": 1}, "q2": {"d1": -3e-2}, "q3": {}}',
    "lists": b'{"q1": ["d1", "d2"], "q2": ["d1"]}',
    "pairs": b'{"q1": [["d1", 2], ["d2", 0]]}',
    "records": b'[{"query": "q1", "document": "d1", "score": 2}, '
    b'{"query": "q1", "document": "d2", "score": "1.5"}]',
    "grades": b'[{"qid": 1, "docid": 7, "relevant": true}, {"qid": 1, "docid": 8, "relevant": 0}]',
    "judged": b'[{"query": "a", "retrieved": ["d1", "d2"], "relevant": ["d2"], '
    b'"relevance_scores": {"d2": 2, "d3": 1}}]',
    "judged by query": b'{"q1": {"retrieved": ["d1"], "relevant": ["d1"]}}',
    "one judged": b'{"retrieved": ["d1", "d2"], "relevant": ["d3"]}',
    "unnamed": b'[[["d1", "d2"], [["d1", 2]]], [["d3"], ["d3"]], [["d4"], {"d4": 1}]]',
    "rows": b'{"q1": [{"doc_id": "d1", "relevant": true}, {"doc_id": "d2", "grade": 0}]}',
    "list of rows": b'[[{"doc_id": "d1", "relevant": 2}, {"doc_id": "d2", "relevant": 0}]]',
    "one list": b'[{"doc_id": "d1", "relevant": true}, {"doc_id": "d2", "relevant": false}]',
    "request": b'{"requests": [{"id": "q1", "request": {}, "ratings": '
    b'[{"_index": "i", "_id": "d1", "rating": 3}, {"_id": "d2", "rating": 0}]}]}',
    "response": b'{"metric_score": 0.5, "details": {"q1": {"metric_score": 0.5, "hits": ['
    b'{"hit": {"_index": "i", "_id": "d1", "_score": 1.5}, "rating": 3}, '
    b'{"hit": {"_id": "d2", "_score": 1.0}, "rating": null}]}}}',
    "by a field": b'{"details": {"q1": {"hits": [{"hit": {"_id": "d1", "_score": null}, '
    b'"rating": {"value": 3}}]}}}',
}
LONG = b"The Eiffel Tower is in Paris. " * 9
SEARCH_TOOLS = {
    "msearch": b'{"took": 9, "responses": [{"took": 3, "timed_out": false, "status": 200, "hits": '
    b'{"total": {"value": 2, "relation": "eq"}, "max_score": 7.5, "hits": ['
    b'{"_index": "i", "_id": "d1", "_score": 7.5, "_source": {"title": "x"}}, '
    b'{"_index": "i", "_id": "d2", "_score": 6.25, "_source": {}}]}}, '
    b'{"error": {"type": "search_phase_execution_exception"}, "status": 400}, '
    b'{"status": 200, "hits": {"hits": [{"_index": "i", "_id": "d9", "_score": 1.5}]}}]}',
    "search": b'{"took": 3, "hits": {"max_score": null, "hits": [{"_id": "d2", "_score": null, '
    b'"sort": [9]}, {"_id": "d1", "_score": null, "sort": [8]}]}}',
    "judgments": b'{"name": "Imported", "type": "IMPORT_JUDGMENT", "judgmentRatings": ['
    b'{"query": "red dress", "ratings": [{"docId": "B07", "rating": "0.000"}, '
    b'{"docId": "B08", "rating": "0.7"}]}, '
    b'{"query": "jeans", "ratings": [{"docId": "B07", "rating": 1}]}]}',
    "experiment": b'{"took": 34, "hits": {"total": {"value": 1}, "hits": [{"_index": ".e", "_id": '
    b'"cbd2", "_source": {"id": "cbd2", "type": "PAIRWISE_COMPARISON", "status": "COMPLETED", '
    b'"searchConfigurationList": ["a5ac", "26c7"], "size": 10, "results": {"tv": {"26c7": ["B1", '
    b'"B2"], "pairwiseComparison": {"jaccard": 0.11}, "a5ac": ["B2", "B1"]}, "led tv": {"26c7": '
    b'["B3"], "pairwiseComparison": {"jaccard": 0}, "a5ac": ["B4"]}}}}]}}',
    "experiment with snapshots": b'{"type": "PAIRWISE_COMPARISON", "searchConfigurationList": '
    b'["26c7", "a5ac"], "results": [{"queryText": "tv", "metrics": [], "snapshots": ['
    b'{"searchConfigurationId": "26c7", "docIds": ["B1", "B2"]}, '
    b'{"searchConfigurationId": "a5ac", "docIds": ["B2", "B1"]}]}, {"queryText": "led tv", '
    b'"snapshots": [{"searchConfigurationId": "26c7", "docIds": ["B3"]}, '
    b'{"searchConfigurationId": "a5ac", "docIds": ["B4"]}]}]}',
    "evaluation results": b'{"hits": {"hits": ['
    b'{"_id": "1", "_source": {"searchConfigurationId": "26c7", "searchText": "tv", "documentIds": '
    b'["B1", "B2"], "metrics": [{"metric": "NDCG@8", "value": 0.0}]}}, '
    b'{"_id": "2", "_source": {"searchConfigurationId": "26c7", "searchText": "led tv", '
    b'"documentIds": ["B3"]}}, '
    b'{"_id": "3", "_source": {"searchConfigurationId": "a5ac", "searchText": "tv", '
    b'"documentIds": ["B2", "B1"]}}, '
    b'{"_id": "4", "_source": {"searchConfigurationId": "a5ac", "searchText": "led tv", '
    b'"documentIds": ["B4"]}}]}}',
    "quepid case": b'{"case_name": "Movies", "options": {}, "scorer": {"name": "AP"}, "queries": ['
    b'{"arranged_at": 0, "query_text": "star wars", "options": {}, "notes": null, "ratings": '
    b'{"11": 3, "1892": 0}}, {"query_text": "moana", "ratings": {"277834": 2, "9": null}}], '
    b'"try": {"field_spec": "id:id"}}',
    "quepid ratings": b'{"queries": [{"query": "star wars", "ratings": {"11": 3, "1892": 0}}, '
    b'{"query": "moana", "ratings": {"277834": 2}}]}',
    "quepid list": b'{"queries": [{"query_text": "star wars", "ratings": [{"doc_id": "11", '
    b'"rating": 3, "user_email": "a@b"}, {"doc_id": "1892", "rating": 0}]}, {"query_text": '
    b'"moana", "ratings": [{"doc_id": "277834", "rating": 2}]}]}',
    "rre": b'{"id_field": "id", "index": "tmdb", "queries": [{"placeholders": {"$query": '
    b'"star wars"}, "relevant_documents": {"0": ["1892"], "3": ["11"]}}, {"placeholders": '
    b'{"$query": "moana"}, "relevant_documents": {"2": ["277834"]}}]}',
    "ragas ids": b'[{"user_input": "Who?", "retrieved_context_ids": ["c2", "c1"], '
    b'"reference_context_ids": ["c1"], "response": "Me."}, {"user_input": "When?", '
    b'"retrieved_context_ids": ["c3"], "reference_context_ids": ["c3", "c4"], "response": ""}]',
    "ragas texts": b'[{"user_input": "Where?", "retrieved_contexts": ["Rome is a city.", "'
    + LONG
    + b'"], "reference_contexts": ["'
    + LONG
    + b'"], "reference": "Paris"}]',
    "llamaindex results": b'[{"query": "Who?", "expected_ids": ["c1"], "expected_texts": null, '
    b'"retrieved_ids": ["c2", "c1"], "retrieved_texts": ["b", "a"], "mode": "text", "metric_dict": '
    b'{"mrr": {"score": 0.5}}}, {"query": "When?", "expected_ids": ["c3", "c4"], '
    b'"retrieved_ids": ["c3"], "mode": "text", "metric_dict": {}}]',
    "llamaindex dataset": b'{"queries": {"u1": "Who?", "u2": "When?"}, "corpus": {"n1": "Text.", '
    b'"n2": "Other."}, "relevant_docs": {"u1": ["n1"], "u2": ["n1", "n2"]}, "mode": "text"}',
    "deepeval": b'[{"input": "Where?", "actual_output": "Paris", "retrieval_context": '
    b'["Rome is a city.", "' + LONG + b'"], "context": ["' + LONG + b'"]}]',
    "trulens records": b'[{"record_id": "r1", "app_name": "rag", "app_version": "v1", "input": '
    b'"Where?", "output": "Paris", "Answer Relevance": 1.0, "Answer Relevance_calls": [{"args": '
    b'{"prompt": "Where?", "response": "Paris"}, "ret": 1.0, "meta": {}}], "Context Relevance": '
    b'0.5, "Context Relevance_calls": [{"args": {"question": "Where?", "context": "Rome is a '
    b'city."}, "ret": 0.0, "meta": {"reason": "no"}}, {"args": {"question": "Where?", "context": "'
    + LONG
    + b'"}, "ret": 1.0, "meta": {}}], "ts": "2026-01-01", "latency": 0.5}, {"record_id": "r2", '
    b'"app_name": "rag", "app_version": "v2", "input": "Where?", "Context Relevance_calls": ['
    b'{"span_type": "eval_root", "args_span_id": {}}, {"span_type": "eval", "args": {"context": "'
    + LONG
    + b'"}, "ret": 1.0}, {"args": {"context": "Oslo."}, "ret": null}]}]',
    "trulens ground truth": b'[{"query": "Where?", "query_id": "1", "expected_response": "Paris", '
    b'"expected_chunks": [{"text": "'
    + LONG
    + b'", "expect_score": 0.5}, {"text": "Paris."}]}, {"query": "When?", "expected_chunks": '
    b'["Now."]}]',
    "mteb predictions": b'{"mteb_model_meta": {"model_name": "org/m", "revision": "1"}, "default": '
    b'{"test": {"q1": {"d1": 0.9, "d2": 0.25}, "q2": {"d1": 0.5}}}}',
    "llm judge": b'[{"query_id": "q1", "doc_id": "d1", "llm_score": 3, "reason": "Exact match.", '
    b'"confidence": 0.95, "model": "m"}, {"query_id": "q1", "doc_id": "d2", "llm_score": 0, '
    b'"reason": null, "confidence": 0.4, "model": "m"}]',
    "rankllm": b'[{"query": {"qid": "264014", "text": "how long is life cycle of flea"}, '
    b'"candidates": [{"docid": "6641238", "score": 13.25, "doc": {"segment": "y"}}, '
    b'{"docid": "4834547", "score": 14.5, "doc": {"segment": "x"}}]}]',
    "spark": b'{"userId": 1, "recommendations": [{"movieId": 9, "rating": 4.9}, {"movieId": 5, '
    b'"rating": 4.25}]}\n{"userId": 2, "recommendations": [{"movieId": 7, "rating": 4.5}]}\n',
    "dpr": b'[{"question": "who", "answers": ["Bob"], "ctxs": [{"id": "wiki:1", "text": "x", '
    b'"score": "81.25", "has_answer": false}, {"id": "wiki:2", "score": "80.5", "has_answer": '
    b"true}]}]",
    "haystack": b'{"questions": ["q1", "q2"], "ground_truth_documents": [[{"id": "a"}], [{"id": '
    b'"b"}]], "retrieved_documents": [[{"id": "z", "score": 0.9}, {"id": "a"}], [{"id": "b"}]]}',
    "qdrant": b'{"result": {"points": [{"id": 4, "version": 3, "score": 0.75, "payload": null}, '
    b'{"id": 1, "score": 0.5}]}, "status": "ok", "time": 0.002}',
    "weaviate": b'{"data": {"Get": {"Article": [{"title": "x", "_additional": {"id": "u2"}}, '
    b'{"title": "y", "_additional": {"id": "u1", "distance": 0.5}}]}}}',
    "chroma": b'{"ids": [["b", "a"], ["c"]], "distances": [[0.1, 0.2], [1.5]], "documents": null}',
    "umbrela": b'{"model": "m", "query": "q", "passage": "A flea.", "judgment": 3, '
    b'"result_status": 1}\n{"query": "q", "passage": "Dogs.", "judgment": 0, "result_status": 0}',
}
"""Answers and exports of search tools, judges and RAG libraries."""
LINES = {
    "records": b'{"query": "q1", "document": "d1", "score": 2}\n'
    b'{"query": "q1", "document": "d2", "score": 1}\n',
    "grades": b'{"qid": "q1", "docid": 1, "label": 2}\r\n\r\n'
    b'{"docid": "x", "qid": "q2", "label": 0}',
    "judged": b'{"query": "a", "retrieved": ["d1"], "relevant": ["d1", "d3"]}\n'
    b'{"query": "b", "retrieved": ["d2"], "relevance_scores": {"d2": 2}}',
    "ranks": b'{"qid": "a", "docid": "d1", "rank": 1}\n{"qid": "a", "docid": "d2", "rank": 2}',
    "reasons": b'{"qid": "a", "docid": "d1", "grade": 1, "reason": "exact"}\n'
    b'{"qid": "a", "docid": "d2", "grade": 0, "reason": null}',
    "graded": b'{"doc_id": "d1", "relevant": true}\n{"doc_id": "d2", "relevant": 0}',
}
TEXTS = {
    "lines": b"query\ttext\nq1\tbest laptop\nq2\ta\tb\n",
    "records": b'{"_id": "d1", "title": "Mouse", "text": "Wireless.", "metadata": {}}\n'
    b'{"_id": "d2", "title": "", "text": "\xc3\xa9"}\n',
    "table": b'id;title;text;url\nd1;Mouse;"Wire;less.";/mouse\nd2;;\xc3\xa9;\n',
    "list": b'[{"docno": 1, "contents": "one", "tags": [1, {"a": null}]}]',
    "by_id": b'{"d1": {"title": "Mouse", "body": "Wireless."}, "d2": "two"}',
    "both": b'q1\tone\n{"_id": "q2", "text": "two"}\n',
}
PASTED = {
    "grades": b"3, 2, ? | 1",
    "cells": b"laptop\t3\ntablet\t0",
    "ranked": b"rank;document;grade\n1;a;3\n1;b;?\n;c;2\n-;d;1",
    "numbers": b"1,3\n2,0",
    "json": b'{"query":"q","ranked":[["a",2],["x",null,"tied"]],"not ranked":[["b",0.5]]}',
    "link": b"1."
    b"eNqrViosTS2qVLJSKlTSUSpKzMtOTVGyio5WSlTSMYrViVaqUNLJK83JiY3VUcrLL1FAUpGkpGOgZxobWwsA2J0U4A",
}


def by_arrow(codec: str) -> Callable[[bytes], bytes]:
    """Return what packs bytes with a codec of Arrow."""

    def pack(data: bytes) -> bytes:
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, codec) as stream:
            stream.write(data)
        return bytes(sink.getvalue().to_pybytes())

    return pack


PACK = {
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": by_arrow("zstd"),
    "lz4": by_arrow("lz4"),
}


def archives(files: Mapping[str, bytes]) -> list[bytes]:
    """Return the files gzipped, also in several parts, and zipped."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in list(files.items())[:2]:
            # A fixed date keeps the bytes the same.
            archive.writestr(zipfile.ZipInfo(f"folder/{name}.txt"), data, zipfile.ZIP_DEFLATED)
    each = [gzip.compress(data, mtime=0) for data in files.values()]
    return [*each, b"".join(each[:2]), stream.getvalue()]


def packed(files: Mapping[str, bytes]) -> list[bytes]:
    """Return the first two files packed in each of the other ways, also after one another."""
    first, second = list(files.values())[:2]
    return [pack(first) + after for pack in PACK.values() for after in (b"", pack(second))]


def judges_in_parquet() -> list[bytes]:
    """Return tables with a column of judges, and with a column for each."""
    ids = {"query": ["q1", "q1", "q2"], "document": ["d1", "d1", "d1"]}
    tables = [
        pa.table({**ids, "judge": ["ann", "bob", "ann"], "grade": pa.array([2, 0, 1], pa.int8())}),
        pa.table(
            {
                "query": ["q1", "q1"],
                "document": ["d1", "d2"],
                "ann": [1, None],
                "bob": [float("nan"), 2.0],
                "ann_reason": ["r", ""],
            }
        ),
    ]
    found = []
    for table in tables:
        stream = io.BytesIO()
        pq.write_table(table, stream)
        found.append(stream.getvalue())
    return found


def parquet() -> list[bytes]:
    """Return tables with columns of several types, packed in several ways."""
    ids = {"query": ["q1", "q1", "q2"], "document": ["d1", "d2", "d1"]}
    tables = [
        pa.table({**ids, "score": [2.5, 1.0, -3e-2]}),
        pa.table({**ids, "grade": pa.array([2, 0, 1], pa.int8()), "title": ["a", None, "c"]}),
        pa.table({"qid": [1, 1, 2], "docid": pa.array([7, 8, 9], pa.uint64()), "rank": [1, 2, 1]}),
        pa.table({"doc_id": ["a", "b"], "relevant": [True, False]}),
        pa.table(
            {name: pa.array(each).dictionary_encode() for name, each in ids.items()}
        ).append_column("score", pa.array([1, 2, 3], pa.float32())),
        pa.table({"qid": ["q"] * 300, "docid": list(map(str, range(300))), "score": [0.5] * 300}),
    ]
    how = [
        *({"compression": name} for name in ("none", "snappy", "gzip", "zstd", "brotli", "lz4")),
        {"use_dictionary": False, "data_page_version": "2.0"},
        {"store_schema": False, "write_statistics": False, "row_group_size": 2},
        {"use_dictionary": False, "column_encoding": {"qid": "DELTA_BYTE_ARRAY"}},
    ]
    found = []
    for number, options in enumerate(how):
        for table in tables[number % 3 :: 3] if number < 8 else tables[-1:]:
            stream = io.BytesIO()
            pq.write_table(table, stream, **options)
            found.append(stream.getvalue())
    return found


def catalogued(*folders: str) -> list[bytes]:
    """Return the bad files of the catalogue that are not large."""
    files = [path for folder in folders for path in sorted((BAD / folder).iterdir())]
    return [path.read_bytes() for path in files if 0 < path.stat().st_size <= LARGEST]
