"""Words for the fuzzer: readers have rules for them, or may lack one."""

from __future__ import annotations

_NUMBERS = (
    "nan inf -inf Infinity 1e999 1e308 -1e308 -0 0x1p3 1_000 1e-400 5e-324 .5 5. + - 00 01 1,5 ３ "
    f"1e5 9007199254740993 999 1001 {'9' * 400} {'9' * 5000} 1.0 2.5 -3 7.5 true false null NaN"
)
_KEYS = (
    "query doc_id relevant _id requests details hits hit rating ratings retrieved relevance_scores "
    "_score _index id text title value rank score grade query_id corpus-id qid docid Q0 0 iter tag "
    "topic label rel sim position pos item is_relevant judgment query_text run_id metadata"
)
_MARKS = (
    '" "" \' , ; | # : ? sep=; \ufeff \u200b é 日 e\u0301 \U0001f600 \\ud800 \\u0000 \\ '
    '[ ] { } [] {} [[ ]] [["d"],[]] {"a":1} {"doc_id":"d","relevant":1} =1+1'
)
_BLANKS = (
    *("\t", " ", "  ", "\n", "\r", "\r\n", "\n\n", "\u2028", "\x85", "\xa0", "\u2003", "\0"),
    *("\x1a", "\x0c", "\x1c", "{}\n{}", "a" * 1001),
)
_BYTES = (
    *(b"", b"\xff", b"\xff\xfe", b"\xed\xa0\x80", b"\xc3", b"PAR1", b"PK\x03\x04", b"PK\x05\x06"),
    *(b"\x1f\x8b", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\0"),
)
_TEXTS = (*_NUMBERS.split(), *_KEYS.split(), *_MARKS.split(" "), *_BLANKS)
WORDS = (*(word.encode() for word in _TEXTS), *_BYTES)
