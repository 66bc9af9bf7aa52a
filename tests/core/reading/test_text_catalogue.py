"""Text files that are not what they seem, as the app accepts or refuses them."""

from tests.cases import cases
from tests.catalogue.upload import load_upload

QRELS = b"q1 0 d1 3\nq1 0 d2 0\nq1 0 d9 1\nq2 0 d4 0\nq2 0 d5 2\n", "qrels.txt"
RUN = b"q1 Q0 d1 1 9.5 s\nq1 Q0 d2 2 8.5 s\nq2 Q0 d4 1 6.5 s\nq2 Q0 d5 2 5.5 s\n", "run.txt"
TREC = RUN[0].decode()
CSV = "qid,docid,rank,score\nq1,d1,1,9.5\nq1,d2,2,8.5\nq2,d4,1,6.5\nq2,d5,2,5.5\n"
RANKED = "".join(f"q1\td{n}\t{n}\n" for n in range(1, 50))
GAP = "x.tsv", "run", None, "error"
LABELS = "qid,docid,label\nq1,d1,3\nq1,d2,0\nq2,d4,1\n"


def semicolons(text):
    return text.replace(",", ";")


CASES = [
    # Cells separated by tabs are not split at the spaces in them.
    ("red shoe\td1\t1\nred shoe\td2\t2\n", "x.tsv", "run", None, "error", "line 1|'red shoe'"),
    (
        "q1\tQ0\tdoc 1\t1\t9.5\nq1\tQ0\td2\t2\t8\n",
        "x.tsv",
        "run",
        None,
        "error",
        "'doc 1'|expected 6",
    ),
    (
        "q1\tblue shoe\t3\nq1\thats\t1\n",
        "x.tsv",
        "qrels",
        None,
        "error",
        "'blue shoe'|a header line with the column names",
    ),
    (
        "q1\tQ0  d1 \t1   9.5\ts\n  q1 Q0 d2 2 8.5 s \nq2 Q0 d4 1 3 s",
        "x.txt",
        "run",
        None,
        "ok",
        "",
    ),
    # Spaces before a quote.
    ('qid, docid, score\nq1, "d1", 9\nq2, "d4", 8', "x.csv", "run", QRELS, "warn", "spaces|: 2."),
    ('"qid", "docid", "label"\n"q1", "d,1", "3"\n', "x.csv", "qrels", None, "warn", "spaces|: 1."),
    ('qid,docid,score\nq1,"d, 1",9\nq2,"a, ""b",8', "x.csv", "run", None, "ok", ""),
    # A quote that takes in rows.
    (
        'qid,docid,score,title\nq1,d1,9,"5 inch\nq1,d2,8,x\nq2,d4,7,6"\nq2,d5,6,z\n',
        *("x.csv", "run", None, "error", "line 2|'q1,d2,8,x'|close or double"),
    ),
    (
        'qid,docid,label\n"shoes,d1,3\nshoes,d2,0\nhats",d4,1\n',
        "x.txt",
        "qrels",
        None,
        "error",
        "line 2",
    ),
    ('qid,docid,score,title\nq1,d1,9,"a\nb, c, d, e"\n', "x.csv", "run", None, "warn", "not used"),
    # A letter that was lost before.
    ("q1 Q0 d\ufffd1 1 9.5 s\n", "x.txt", "run", None, "warn", "1 id with U+FFFD|letter"),
    # Of two columns for the same part one is used, and both are reported.
    (
        "qid,docid,label,grade\nq1,d1,0,3\nq1,d2,3,0\n",
        "x.csv",
        "qrels",
        None,
        "warn",
        "'label' (the grade is 'grade')",
    ),
    (
        "qid,docid,docno,rank,score,query\nq1,11,d1,1,9,a b\nq1,12,d2,2,8,a b\nq2,13,d4,1,3,c\n",
        "x.csv",
        "run",
        QRELS,
        "warn",
        "'docid' (the document is 'docno')",
    ),
    # Names with numbers and spaces in them are not a TREC row.
    (
        "Unnamed: 0,qid,docid,label,Unnamed: 4\n0,q1,d1,9,\n1,q1,d2,0,\n",
        "x.csv",
        "qrels",
        None,
        "warn",
        "'Unnamed: 4'",
    ),
    (
        "Unnamed: 0,Unnamed: 1,qid,docid,score\n0,0,q1,d1,9\n",
        "x.csv",
        "run",
        None,
        "warn",
        "'Unnamed: 1'",
    ),
    ("query,x Q0 docid,y 1 2 t\n", "x.txt", "run", None, "ok", ""),
    ("qid,docid,score,\nq1,d1,9\nq1,d2,8\n", "x.csv", "run", None, "warn", "header|trailing"),
    ("qid,docid,score,\nq1,d1,9,z\n", "x.csv", "run", None, "error", "line 2|as in the header"),
    # Three columns that fall may be scores.
    (
        "q1\td1\t3\nq1\td2\t2\nq1\td3\t1\nq2\td4\t1",
        "x.txt",
        "run",
        None,
        "error",
        "line 1|3 columns|scores",
    ),
    ("q1\td1\t2\nq1\td2\t1\nq2\td4\t1\nq2\td5\t2", "x.txt", "run", QRELS, "warn", "MS MARCO"),
    # One bad line among those of query, document and rank.
    (RANKED + "q2\td4\n", "x.tsv", "run", None, "error", "line 50:|2 columns|as line 1 has|rank"),
    (RANKED + "q2\td4\tx\n", "x.tsv", "run", None, "error", "line 50, column 3|'x'|the rank"),
    (RANKED + "q2\t\t1\n", "x.tsv", "run", None, "error", "line 50:|2 columns"),
    (RANKED + "q2\td4\t1\tx\n", "x.tsv", "run", None, "error", "line 50:|4 columns"),
    ("q2\td4\n" + RANKED, "x.tsv", "run", None, "error", "line 1:|2 columns|as line 2 has"),
    # Ranks that are not 1, 2, 3, … in one query: one out of order, one twice, from 0.
    ("q1\td1\t1\nq1\td2\t2\nq2\td4\t3\nq2\td5\t1\n", *GAP, "line 3|rank 3 of query 'q2'|1, 2, 3"),
    ("q1\td1\t1\nq1\td2\t2\nq2\td4\t1\nq2\td5\t1\n", *GAP, "line 4|rank 1 of query 'q2'"),
    ("q1\td1\t1\nq1\td2\t2\nq2\td4\t0\nq2\td5\t1\n", *GAP, "line 3|rank 0 of query 'q2'"),
    # One number that is not a rank makes all of them scores.
    ("q1\td1\t1\nq1\td2\t0.5\nq2\td4\t1\n", "x.tsv", "run", None, "warn", "document, score"),
    ("q1\td1\t3\nq1\td2\t1\nq2\td4\t2\n", *GAP, "line 1|3 columns|expected 6"),
    ("q1,d1,9\nq1,d2,8\n", "x.csv", "run", None, "error", "line 1|commas|header"),
    # Without a rank the fourth column is the score.
    (
        "q1 Q0 d1 9.5 2024\nq1 Q0 d2 8.5 2024",
        "x.txt",
        "run",
        None,
        "error",
        "line 1|5 columns|'9.5'",
    ),
    ("q1 Q0 d1 1 9.5\nq1 Q0 d2 2 8\nq2 Q0 d4 1 6", "x.txt", "run", QRELS, "ok", "tag is missing"),
    ("q1 0 d1 high\nq1 0 d2 2", "x.txt", "qrels", None, "error", "'high'|such as 0, 1, 2 or 3"),
    # The document before Q0.
    ("q1 d1 Q0 1 9.5 s\nq2 d4 Q0 1 6.5 s", "x.txt", "run", None, "error", "'Q0'|columns 2 and 3"),
    ("q1 d1 Q0 1 9.5 s\nq1 d4 Q0 2 6.5 s", "x.txt", "run", None, "error", "columns 2 and 3"),
    ("q1 d1 0 3\nq2 d4 0 1\nq2 d5 0 0", "x.txt", "qrels", None, "error", "'0'|columns 2 and 3"),
    ("q1 0 0 3\nq2 0 0 1\nq2 0 1 0", "x.txt", "qrels", None, "ok", ""),
    # A run without tag, or without rank and tag, is not qrels.
    ("q1 Q0 d1 9.5\nq1 Q0 d2 8.5", "x.txt", "qrels", None, "error", "line 1|after Q0|run"),
    ("q1 d1 1 95\nq1 d2 2 85\nq2 d4 1 65", "x.txt", "qrels", None, "error", "the ranks 1, 2, 3"),
    ("q1 Q0 d1 3\nq1 Q0 d2 0", "x.txt", "qrels", None, "ok", ""),
    # Nor are four columns after Q0 qrels when they are read as a run.
    ("q1 Q0 d1 9.5\nq1 Q0 d2 8.5", "x.txt", "run", QRELS, "error", "line 1|4 columns|expected 6"),
    ("q1 Q0 d1 9\nq1 Q0 d2 8", "x.txt", "run", QRELS, "error", "line 1|4 columns|expected 6"),
    (
        "q1\td1\t1\tbm25\nq1\td2\t2\tbm25",
        "x.txt",
        "run",
        QRELS,
        "error",
        "line 1|4 columns|expected 6",
    ),
    # Several runs in one table.
    (
        "qid,docid,score,run\nq1,d1,9,A\nq2,d4,5,B",
        "x.csv",
        "run",
        None,
        "warn",
        "2 run tags|'A', 'B'",
    ),
    (
        "qid,docid,score,tag\nq1,d1,9,A\nq1,d1,5,B",
        "x.csv",
        "run",
        None,
        "warn",
        "2 runs in one file|'A', 'B'",
    ),
    # Comments.
    ("# this is a BM25 run\n" + TREC, "x.txt", "run", QRELS, "warn", "1 comment line"),
    ("# k1 b 0.9 0.4 default\n" + TREC, "x.txt", "run", QRELS, "warn", "1 comment line"),
    # Fields after the tag, which trec_eval ignores; a space in an id is another thing.
    (TREC.replace(" s\n", " my run 2\n"), "x.txt", "run", QRELS, "ok", ""),
    (TREC.replace("5 s", "5\tmy run").replace(" ", "\t", 4), "x.txt", "run", QRELS, "ok", ""),
    ("q1 Q0 doc 12 1 3.5 s\nq1 Q0 doc 13 2 2.5 s\n", "x.txt", "run", None, "error", "7 columns"),
    ("q1 Q0 my d1 1 3.5 s\n", "x.txt", "run", None, "error", "line 1|7 columns"),
    (TREC.replace(" s\n", " my run\n"), "x.txt", "qrels", None, "error", "looks like a run"),
    ("#qid Q0 docid rank score tag\n" + TREC, "x.txt", "run", QRELS, "warn", "1 comment line"),
    ("# scale 0 3\n" + QRELS[0].decode(), "x.txt", "qrels", None, "warn", "1 comment line"),
    ("#q1 Q0 d1 1 9.5 s\n", "x.txt", "run", None, "warn", "'#q1'|kept"),
    # A header may have another number of columns than the rows below it.
    (
        "qid Q0 docid rank score\n#1 Q0 d1 1 2.0 t\n#1 Q0 e 2 1.0 t\n2 Q0 d 1 2.0 t\n",
        "x.txt",
        "run",
        None,
        "warn",
        "2 rows of a query whose id begins with #",
    ),
    (
        "query_id iter doc_id relevance comment\n#1 0 d 1\n2 0 d 0\n",
        "x.txt",
        "qrels",
        None,
        "warn",
        "1 row of a query whose id begins with #",
    ),
    # Lines that begin with # and have the shape of the rows.
    ("#q1 Q0 d1 1 9.5\nq2 Q0 d4 1 6.5\n", "x.txt", "run", QRELS, "warn", "'#q1'|1 row|kept"),
    ("#q1\td1\t1\n#q1\td2\t2\nq2\td4\t1\n", "x.tsv", "run", QRELS, "warn", "'#q1'|2 rows|kept"),
    ("#q1 Q0 d1 1 NaN s\nq2 Q0 d4 1 6 s\n", "x.txt", "run", None, "error", "line 1|'#q1'|'NaN'"),
    ("q2 Q0 d4 1 6 s\n#q1 Q0 d1 1 9,5 s\n", "x.txt", "run", None, "error", "line 2|'#q1'|comma"),
    ("#q1 0 d1 high\nq2 0 d4 1\n", "x.txt", "qrels", None, "warn", "comment|'#q1 0 d1 high'"),
    ("# a b c 1 e\n" + TREC, "x.txt", "run", QRELS, "warn", "1 comment line|'# a b c 1 e'"),
    ("#judged by two people in 2020\nq2 0 d4 1\n", "x.txt", "qrels", None, "warn", "1 comment"),
    ("#one of 6 grades 0 1\nq2 0 d4 1\n", "x.txt", "qrels", None, "warn", "1 comment"),
    # What line 1 sets, and headers above five columns.
    (
        "q1 Q0 d1 1 9\nq1 Q0 d2 2 8 s",
        "x.txt",
        "run",
        None,
        "error",
        "line 2|5 columns, as line 1 has",
    ),
    (
        "qid Q0 docid rank score\nq1 Q0 d1 1 9\n",
        "x.txt",
        "run",
        None,
        "warn",
        "header on line 1|tag is missing",
    ),
    # Names that are not known, and lines above the names.
    (
        "search,hit,points\nq1,d1,9.5\n",
        "x.csv",
        "run",
        None,
        "error",
        "line 1|'search, hit, points'|rename",
    ),
    ("My export\n" + CSV, "x.csv", "run", None, "warn", "1 line above|'My export'|left out"),
    ("# 2024\n" + CSV, "x.csv", "run", None, "warn", "1 line above|'# 2024'|left out"),
    ("q1;x\n" + CSV, "x.csv", "run", None, "warn", "1 line above|'q1;x'|left out"),
    ("q1,x\n" + CSV, "x.csv", "run", None, "error", "line 1|'q1,x'|above line 2"),
    ("sep=;\n" + CSV, "x.csv", "run", None, "error", "line 1|'sep=;'|above line 2"),
    ("SEP=;\n" + semicolons(CSV), "x.csv", "run", QRELS, "warn", "sep=;"),
    ('"sep=;"\n' + semicolons(CSV), "x.csv", "run", QRELS, "warn", "sep=;"),
    ("sep=,,,\n" + CSV, "x.csv", "run", QRELS, "warn", "sep=,"),
    # The end-of-file mark before a line end.
    (TREC + "\x1a\n", "x.txt", "run", QRELS, "warn", "ctrl-z|line 5"),
    (CSV + "\x1a\r\n", "x.csv", "run", QRELS, "warn", "ctrl-z|line 6"),
    # A form feed on a line of its own, and after a row.
    (TREC.replace("s\nq2", "s\n\f\nq2"), "x.txt", "run", QRELS, "ok", ""),
    (TREC.replace("s\nq2", "s\f\nq2"), "x.txt", "run", QRELS, "ok", ""),
    ("q1 0 d1 3\n\f\nq1 0 d2 0\f\n", "x.txt", "qrels", None, "ok", ""),
    (TREC.replace("q2", "\fq2", 1), "x.txt", "run", QRELS, "warn", "invisible|line 3"),
    # Ids that are words of headers, or in brackets.
    ("q1\tQ0\tdoc\t1\t9.5\ts\nq1\tQ0\td2\t2\t8.5\ts", "x.txt", "run", None, "ok", ""),
    ("q1 Q0 a,b,c 1 9 s\nq1 Q0 x,5,y 2 8 s", "x.txt", "run", None, "ok", ""),
    ("q1 Q0 d1 1 9.5 s,doc\nq1 Q0 d2 2 8.5 s,doc", "x.txt", "run", None, "ok", ""),
    ("topic\t0\td1\t1\ntopic\t0\td2\t0", "x.txt", "qrels", None, "ok", ""),
    ("[q1] Q0 d1 1 9 s\n[q1] Q0 d2 2 8 s", "x.txt", "run", None, "ok", ""),
    ("{q1} Q0 d1 1 9 s\n{q1} Q0 d2 2 8 s", "x.txt", "run", None, "ok", ""),
    ("[q1] Q0 d1 1 9 s\n", "x.json", "run", None, "error", "json"),
    # The header again.
    (CSV + CSV, "x.csv", "run", None, "error", "line 6|header of line 1 again|joined"),
    (
        "qid 0 docid grade\nq1 0 d1 1\nqid 0 docid grade\nq2 0 d1 1",
        *("x.txt", "qrels", None, "error", "line 3|header of line 1 again"),
    ),
    # Another delimiter than the header's.
    (CSV + "q2;d6;3;1\n", "x.csv", "run", None, "error", "line 6|1 field;|semicolons"),
    # A column that may be the query is not ignored; one that certainly is not the query is.
    (
        "keyword,docid,label\na,d1,3\nb,d2,0",
        "x.csv",
        "qrels",
        None,
        "error",
        "a query column|'keyword'",
    ),
    ("user,item,rating\nu1,i1,5\nu2,i3,1", "x.csv", "run", None, "error", "looks like qrels"),
    ("term,doc,rank,grade\na,d1,1,3\nb,d2,1,0", "x.csv", "run", None, "error", "'term'"),
    ("title,docid,label\na,d1,3\nb,d2,0", "x.csv", "qrels", None, "warn", "no query column"),
    # Nor is a column ignored that may be the scores.
    ("qid,docid,rank,bm25\nq1,d1,1,9\n", "x.csv", "run", None, "error", "a score column|'bm25'"),
    ("qid,docid,rank,Relevance Value\nq,d,1,9", "x.csv", "run", None, "warn", "'relevance value'"),
    ("qid,docid,rank,title\nq1,d1,1,a\n", "x.csv", "run", None, "warn", "no scores"),
    # Ranks without scores.
    (
        "qid,docid,rank\nq1,d1,1\nq1,d2,1",
        "x.csv",
        "run",
        None,
        "warn",
        "share a rank (rank 1 of query 'q1'",
    ),
    ("qid,docid,rank\nq1,d1,0\nq1,d2,1", "x.csv", "run", None, "warn", "begin at 1 (rank 0"),
    ("qid,docid,rank\nq1,d1,1\nq1,d2,7", "x.csv", "run", None, "warn", "are missing|rank 7"),
    ("qid,docid,rank\nq1,d1,95\nq1,d2,85\nq2,d4,6", "x.csv", "run", None, "error", "line 2|scores"),
    ("qid,docid,rank\nq1,d1,2\nq1,d2,1\nq2,d4,1", "x.csv", "run", None, "warn", "no scores"),
    # Scores that are all the same, where that leaves an order open.
    ("qid,docid,score\nq1,d1,1\nq1,d2,1\nq2,d4,2", "x.csv", "run", None, "ok", "ties alone"),
    ("q1 Q0 d1 1 0 s\nq1 Q0 d2 2 0 s", "x.txt", "run", None, "warn", "ties alone"),
    ('{"q1": {"d1": 1, "d2": 1}}', "x.json", "run", None, "ok", "ties alone"),
    ("qid,docid,rank,score\nq1,d1,1,1\nq1,d2,2,1", "x.csv", "run", None, "warn", "ties alone"),
    ("q1 Q0 d1 1 5 s\nq2 Q0 d1 1 5 s", "x.txt", "run", None, "ok", ""),
    # Non-numeric ranks beside numeric ones.
    (
        "q Q0 d 1 9 s\nq Q0 e 1 8 s\nq Q0 f x 7 s",
        "x.txt",
        "run",
        None,
        "warn",
        "'x' on line 3|share a rank",
    ),
    (
        "qid,docid,rank,score\nq,d,,9\nq,e,-,8",
        "x.csv",
        "run",
        None,
        "warn",
        "2 non-numeric ranks",
    ),
    ("q Q0 d -1 9 s\nq Q0 e 2 8 s", "x.txt", "run", None, "warn", "not begin at 1 (rank -1"),
    ("q Q0 d 1e999 9 s\nq Q0 e 1e999 8 s", "x.txt", "run", None, "warn", "share a rank (rank inf"),
    # Scores and ranks swapped.
    ("q Q0 d 95 1 s\nq Q0 e 85 2 s\nq Q0 f 80 3 s", "x.txt", "run", None, "warn", "swapped"),
    ("q Q0 d 100 0 s\nq Q0 e 90 1 s\nq Q0 f 80 2 s", "x.txt", "run", None, "warn", "swapped"),
    ("q Q0 d 9.5 1 s\nq Q0 e 9.5 2 s\nq Q0 f 7.5 3 s", "x.txt", "run", None, "warn", "swapped"),
    ("q Q0 d 9 1 s\nq Q0 e 9 2 s\nq Q0 f 7 3 s", "x.txt", "run", None, "warn", "swapped"),
    ("q Q0 d 1 1 s\nq Q0 e 3 0 s", "x.txt", "run", None, "ok", ""),
    # Scores that rise with the ranks in every query that has an order.
    (
        "q1 Q0 d2 1 0.1 s\nq1 Q0 d1 2 0.5 s\nq2 Q0 d4 1 0.2 s\nq2 Q0 d5 2 0.7 s\n",
        *("x.txt", "run", QRELS, "warn", "lowest score|distances"),
    ),
    ("qid,docid,rank,score\nq,d,1,0.1\nq,e,2,0.5\np,d,1,3", "x.csv", "run", None, "warn", "lowest"),
    ("q Q0 d 1 5 s\nq Q0 e 2 6 s\np Q0 d 1 5 s\np Q0 e 2 4 s", "x.txt", "run", None, "ok", "1 row"),
    ("q Q0 d 0 3 s\nq Q0 e 1 2 s\nq Q0 f 2 1 s", "x.txt", "run", None, "warn", "rank 0"),
    # BEIR's qrels need no note except that only relevant documents are judged.
    ("query-id\tcorpus-id\tscore\nq1\td1\t0\n", "x.tsv", "qrels", None, "warn", "no relevant"),
    (
        "query-id\tcorpus-id\tscore\nq\ta\t1\nq\tb\t3\nq\tc\t5",
        "x.tsv",
        "qrels",
        None,
        "warn",
        "threshold",
    ),
    ("query-id\tcorpus-id\tscore\nq1\td1\t1\n", "x.tsv", "qrels", None, "ok", ""),
    # Other spellings of known names.
    ("QueryID,DocumentID,Score\nq1,d1,9", "x.csv", "run", None, "ok", ""),
    ("topicid,corpusid,rank,score\nq1,d1,1,9", "x.csv", "run", None, "ok", ""),
    ("q_id,\u00a0passageId,s\u200bim\nq1,d1,9", "x.csv", "run", None, "ok", ""),
    ('{"qid": "q1", "doc\\ud800id": "d1", "score": 1}', "x.jsonl", "run", None, "error", "json"),
    # Judgments that are the same in other digits.
    (LABELS + "q1,d1,3.0\n", "x.csv", "qrels", None, "warn", "1 duplicate judgment|line 5"),
    (LABELS + "q1,d1,3.5\n", "x.csv", "qrels", None, "error", "line 5|duplicate"),
    # Documents of which some have another spelling than in the qrels.
    (
        TREC.replace("d2", "D2"),
        "x.txt",
        "run",
        QRELS,
        "warn",
        "case: 'D2' would be 'd2', and 1 of 1",
    ),
    (
        "q1 Q0 1 1 9 s\nq1 Q0 007 2 8 s\nq1 Q0 3 3 7 s\n",
        *("x.txt", "run", (b"q1 0 1 1\nq1 0 7 2\nq1 0 3 0\n", "q.txt"), "warn", "zeros|'007'"),
    ),
    (TREC.replace("d", "D"), "x.txt", "run", QRELS, "warn", "0 %|upper and lower case"),
    (TREC.replace("d2", "x9"), "x.txt", "run", QRELS, "ok", "25 %"),
    # Unjudged queries in a run of few rows.
    ('{"q1": {"d1": 9.5}, "q3": {"d1": 1.0}}', "r.json", "run", QRELS, "warn", "'q3'|not judged"),
    # A grade far below 0 is as large a loss where a convention subtracts it.
    ("q1 0 d1 1\nq1 0 d9 -1100", "x.txt", "qrels", None, "error", "line 2|at least -1000|subtract"),
    ("q1 0 d1 1\nq1 0 d9 -1000", "x.txt", "qrels", None, "warn", "negative|line 2"),
    # Queries that look alike.
    (
        "caf\u00e9 Q0 d 1 9 s\ncafe\u0301 Q0 d 1 8 s",
        "x.txt",
        "run",
        None,
        "warn",
        "query ids that look alike",
    ),
    ("a 0 d 1\n\u0430 0 d 0", "x.txt", "qrels", None, "warn", "query ids that look alike"),
    ("qid\tdocid\tscore\nq1,d1,9\n", "x.tsv", "run", None, "error", "line 2|commas|tabs"),
]


@cases(("data", "name", "role", "other", "severity", "words"), CASES)
def test_a_text_is_read_as_what_it_certainly_is_or_refused(
    data, name, role, other, severity, words
):
    found = load_upload(data.encode(), name, role, other)
    said = "\n".join(found["messages"])
    assert found["severity"] == severity, said
    for each in words.split("|"):
        assert each.lower() in said.lower()


@cases(
    ("data", "documents"),
    [
        ('qid, docid, score\nq1, "d1", 9\nq1, "d,2", 8', ["d1", "d,2"]),
        ('qid,docid,score\nq1,"d, 1",9\nq1,"a, ""b",8', ["d, 1", 'a, "b']),
        ('qid,docid,score\nq1,"d\n5",2\n', ["d\n5"]),
        ("[q1] Q0 doc 1 9 s", ["doc"]),
    ],
)
def test_ids_are_kept_as_written(data, documents):
    assert load_upload(data.encode(), "x.txt", "run", None)["docs"] == documents


def test_equal_scores_are_not_reported_as_distances():
    rows = "".join(f"q Q0 d{n} {n} 5 s\n" for n in range(1, 6))
    found = load_upload(rows.encode(), "x.txt", "run", None)
    assert "ties alone" in "".join(found["messages"])
    assert "distances" not in "".join(found["messages"])
