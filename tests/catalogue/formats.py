"""Write the same rows of query, document and value in every format that can be read."""

import csv
import gzip
import io
import json
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq

from metrics import Run


def trec(kind, rows):
    form = "{} Q0 {} 1 {!r} t\n" if kind is Run else "{} 0 {} {!r}\n"
    return "".join(form.format(*row) for row in rows).encode()


def table(kind, rows, delimiter):
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(["query", "document", kind.VALUE])
    # Quotes keep an id from looking like a blank cell or the end of a line.
    csv.writer(stream, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC).writerows(rows)
    return stream.getvalue().encode()


def named(kind, rows):
    return [dict(zip(("query", "document", kind.VALUE), row, strict=True)) for row in rows]


def nested(kind, rows):
    return json.dumps(expected(rows)).encode()


def records(kind, rows):
    return json.dumps(named(kind, rows), ensure_ascii=False).encode()


def json_lines(kind, rows):
    return "".join(f"{json.dumps(row)}\n" for row in named(kind, rows)).encode()


def parquet(kind, rows):
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(named(kind, rows)), stream)
    return stream.getvalue()


def zipped(kind, rows):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rows.txt", trec(kind, rows))
    return stream.getvalue()


TREC = {
    "TREC": trec,
    "TREC.gz": lambda kind, rows: gzip.compress(trec(kind, rows)),
    "zip": zipped,
}
OTHERS = {
    "CSV": lambda kind, rows: table(kind, rows, ","),
    "TSV": lambda kind, rows: table(kind, rows, "\t"),
    "semicolons": lambda kind, rows: table(kind, rows, ";"),
    "JSON records": records,
    "JSON Lines": json_lines,
    "Parquet": parquet,
}


def expected(rows):
    values = {}
    for query, document, value in rows:
        values.setdefault(query, {})[document] = value
    return values
