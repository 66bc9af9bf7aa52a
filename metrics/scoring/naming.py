"""The measure-name language: ``nDCG@10``, ``P(rel=2)@5``, trec_eval's names <-> a measure.

Names and parameters of other tools are read as ours, or refused with the reason.
"""

import math
import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from string import Formatter
from typing import Any

from ..errors import MeasureError
from ..measures import PARAMETERS, REGISTRY, Measure

_NAME = r"[A-Za-zΑα_0-9-]+(?: +[A-Za-zΑα_0-9-]+)*"
_SHAPE = re.compile(rf"({_NAME})\s*(?:\(([^()]*)\)\s*)?(?:@\s*([^\s@]{{1,40}}))?", re.ASCII)
_NUMBER = re.compile(r"-?(?:[0-9]+(\.[0-9]*)?|\.[0-9]+)", re.ASCII)
_CUTOFF = re.compile(r"[0-9]{1,12}", re.ASCII)
_OUTSIDE_BRACES = re.compile(r",(?![^{}]*\})")
_LONGEST = 200
_GLUED = re.compile(
    r"([a-z][a-z_.\s-]*?)(?:[_.\s-]+at)?[_.\s@-]*([0-9]+(?:\.[0-9]+)?)?", re.ASCII | re.IGNORECASE
)
"""A name and its number in another spelling: nDCG10, ndcg_at_10, recall-100."""


@cache
def names() -> dict[str, type[Measure]]:
    """Return the class of each measure by each of its names, as `normalised_name` writes them."""
    return {
        normalised_name(name): measure
        for measure in REGISTRY.values()
        for name in (measure.symbol, measure.full_name, *measure.also, *measure.mean_names)
    }


def normalised_name(name: str) -> str:
    """Return a name in lower case, without spaces, hyphens and underscores: hitrate."""
    return re.sub(r"[\s_-]+", "", name.lower())


def title(kind: type[Measure]) -> str:
    """Return a measure's symbol, then its full name and all others, to be found by any of them.

    Names that differ only in capitals, or are a part of another, are left out.

    Examples
    --------
    >>> title(REGISTRY["RR"])
    'RR · reciprocal rank (MRR, mean reciprocal rank, ARHR, recip_rank)'
    """
    others: list[str] = []
    begin = f"{kind.symbol} · {kind.full_name}"
    of_trec = [_stem(template).rstrip("=") for template in kind.trec]
    for name in (*kind.also, *kind.mean_names, *of_trec):
        if name.lower() not in ", ".join([begin, *others]).lower():
            others.append(name)
    return f"{begin} ({', '.join(others)})" if others else begin


def of_name(text: str) -> str:
    """Return which measure is meant by a name of its mean, or of another tool; empty for others.

    Examples
    --------
    >>> of_name("MRR@10")
    'MRR@10 is the mean of RR@10, reciprocal rank, over the queries.'
    >>> of_name("accuracy@5")
    'accuracy@5 is Success@5, hit rate. 1 if the top k contains a relevant document, else 0.'
    >>> of_name("RR@10")
    ''
    """
    text, measure = text.strip(), parse(text)
    match = _SHAPE.fullmatch(text)
    name, which = normalised_name(match[1]) if match else "", f"{measure}, {measure.full_name}"
    if name.startswith(tuple(map(normalised_name, measure.mean_names))):
        how = "e to the mean" if measure.summary == "exp" else "the mean"
        return f"{text} is {how} of {which}, over the queries."
    is_own = name in (normalised_name(measure.symbol), normalised_name(measure.full_name))
    return "" if is_own or _by_trec_name(text) else f"{text} is {which}. {measure.meaning}"


def parse(text: str | Measure) -> Measure:
    """Return the measure that a text names; a measure is returned as it is.

    Parameters
    ----------
    text
        ``Name``, ``Name@k`` or ``Name(parameter=value, …)@k``, or a name of trec_eval's such as
        ``ndcg_cut_10`` or ``P.5``. The name is the measure's symbol, its full name or another
        usual one, such as ``MRR`` or ``hit rate``; capitals do not matter. Names of MTEB, ranx and
        ir_measures are read, too, and measures of ir_measures themselves.

    Raises
    ------
    MeasureError
        When the name, a parameter or the cutoff is not known, or a measure lacks the number that
        it needs after ``@``. The message names the nearest measure.

    Examples
    --------
    >>> str(parse("ndcg@10"))
    'nDCG@10'
    >>> str(parse("P(rel=2)@5"))
    'P(rel=2)@5'
    >>> str(parse("MRR@10")), str(parse("reciprocal rank"))
    ('RR@10', 'RR')
    >>> str(parse("iprec_at_recall_0.30"))
    'IPrec@0.3'
    >>> str(parse("ndcg_at_10")), str(parse("nDCG(dcg='exp-log2')@10"))
    ('nDCG@10', 'nDCG(gain=exponential)@10')
    """
    return (text if isinstance(text, Measure) else _read(text_of(text))).complete()


def several(measures: str | Measure | Iterable[str | Measure]) -> list[str | Measure]:
    """Return one measure, or several, as a list."""
    if isinstance(measures, str) or not isinstance(measures, Iterable):
        return [measures]
    return list(measures)


def _read(text: object) -> Measure:
    if not isinstance(text, str):
        raise MeasureError(f"{text!r} is not a measure; write its name, like 'nDCG@10'.")
    # trec_eval's set_F is F1, and SetF of ir_measures is F.
    if (measure := _by_trec_name(text.strip())) is not None:
        return measure
    known = names()
    match = _SHAPE.fullmatch(_ours(text.strip())) if len(text) <= _LONGEST else None
    if match is None or normalised_name(match[1]) not in known:
        raise _unknown(text, match and match[1])
    name, parameters, at = match.groups()
    measure_type = known[normalised_name(name)]
    values = _parameters(measure_type, parameters) if parameters else {}
    if at is not None:
        values |= _after_at(measure_type, at)
    return measure_type(**values)


def _ours(text: str) -> str:
    """Return a name of another tool's as we write it, if we know what it names."""
    ours = respelled(text) or text
    match = _SHAPE.fullmatch(ours)
    return ours if match and normalised_name(match[1]) in names() else text


def trec_name(measure: Measure, asked: str = "") -> str:
    """Return trec_eval's name for a measure; where it has none, the measure's own.

    ``asked`` is the name that the user wrote; it is kept if it is one of trec_eval's names for the
    measure.

    Examples
    --------
    >>> trec_name(parse("nDCG@10"))
    'ndcg_cut_10'
    >>> trec_name(parse("Rprec_mult_1.00"), "Rprec_mult_1.00")
    'Rprec_mult_1.00'
    """
    given, values = set(measure.given()), vars(measure)
    known = [
        template.format_map(values)
        for template in measure.trec
        for fields in [_fields(template)]
        if given <= set(fields) and all(values[field] is not None for field in fields)
    ]
    return asked if asked in known else next(iter(known), str(measure))


def _unknown(text: str, name: str | None) -> MeasureError:
    text = text.strip()
    glued = _GLUED.fullmatch(respelled(text) or text) if len(text) <= _LONGEST else None
    word, number = glued.groups() if glued else (name or "", None)
    if why := NOT_OFFERED.get(normalised_name(word)):
        return MeasureError(f"{text} is not offered: {why}.")
    near = _nearest(word, number)
    hint = f"Did you mean {near}? " if near else ""
    if name is None:
        fix = hint or "Write one like nDCG@10 or P(rel=2)@5."
        return MeasureError(f"{text[:_LONGEST]!r} is not a measure. {fix.strip()}")
    return MeasureError(f"There is no measure {name!r}. {hint}Known: {', '.join(REGISTRY)}.")


def _nearest(word: str, number: str | None) -> str | None:
    """Return the nearest measure, with its number: nDCG@10 for ndgc and 10."""
    fixed = {normalised_name(_stem(each)): kind for kind in REGISTRY.values() for each in kind.trec}
    known = fixed | names()
    # A short name that differs in one letter is another measure: RBO, NRR.
    near = get_close_matches(normalised_name(word), known, 1, 0.75 if len(word) > 3 else 1.0)
    if not near:
        return None
    kind = known[near[0]]
    whole = number is None or "." not in number
    fits = number is not None and kind.suffix and (whole or kind.suffix == "recall")
    return f"{kind.symbol}@{number}" if fits else kind.symbol


def _stem(template: str) -> str:
    """Return one of trec_eval's names without its number: ndcg_cut."""
    return re.sub(r"_?\{.*\}", "", template)


def _by_trec_name(text: str) -> Measure | None:
    for pattern, measure, field in _trec_patterns():
        if (match := pattern.fullmatch(text)) is not None:
            if field is None:
                return measure()
            value: Any = int(match[1]) if field == "cutoff" else float(match[1])
            return measure(**{field: value})
    return None


@cache
def _trec_patterns() -> list[tuple[re.Pattern[str], type[Measure], str | None]]:
    """Return the templates of all measures as patterns; ``ndcg_cut.10`` means ``ndcg_cut_10``."""
    patterns = []
    for measure in REGISTRY.values():
        for template in measure.trec:
            fixed = re.escape(_stem(template))
            field = next(iter(_fields(template)), None)
            number = r"[0-9]{1,9}" if field == "cutoff" else r"[0-9]{1,9}(?:\.[0-9]{1,9})?"
            pattern = rf"{fixed}[_.]?({number})" if field else fixed
            patterns.append((re.compile(pattern, re.ASCII), measure, field))
    return patterns


def _fields(template: str) -> list[str]:
    return [field for _, field, _, _ in Formatter().parse(template) if field]


def _after_at(measure: type[Measure], text: str) -> dict[str, Any]:
    if measure.suffix == "recall":
        return {"recall": _number(measure, "@", text)}
    if not _CUTOFF.fullmatch(text):
        raise MeasureError(
            f"{measure.symbol}@{text} is not a measure; the cutoff k is a whole number, 1 or more, "
            f"of at most 12 digits. {measure.symbol} without @ is of whole rankings."
        )
    return {"cutoff": int(text)}


def _number(measure: type[Measure], name: str, text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise MeasureError(f"{measure.symbol}: {name} must be a number, not {text!r}.")
    return float(text)


def _parameters(measure: type[Measure], text: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for part in _OUTSIDE_BRACES.split(text):
        name, _, value = (piece.strip() for piece in part.partition("="))
        name, value = parameter(measure.symbol, name, value)
        measure.check_parameter(name)
        if name in values:
            raise MeasureError(f"{measure.symbol}: {name} appears twice; write it once.")
        number = PARAMETERS[name].limits is not None
        values[name] = _number(measure, name, value) if number else value.replace(" ", "")
    return values


_SPELLINGS: tuple[tuple[str, str], ...] = (
    # sentence-transformers: cosine_ndcg@10; torchmetrics and AutoRAG: RetrievalMRR, retrieval_map.
    (r"(?:cosine|dot|manhattan|euclidean|retrieval)[_-]?([a-z].*)", r"\1"),
    # sentence-transformers, DPR and BEIR: accuracy@5 asks for a hit; Accuracy alone is of pairs.
    (r"acc(?:uracy)?(@[0-9]{1,12})", r"Success\1"),
    (r"top[_-]([0-9]{1,12})[_-]accuracy", r"Success@\1"),
    (r"mar((?:@[0-9]{1,12})?)", r"R\1"),
    # trec_eval: prefs_simp, all_prefs and others of preferences.
    (r"all_prefs|prefs_.*", "prefs"),
    # MTEB: ndcg_at_10.
    (r"([a-z][a-z_-]*)_at_([0-9]{1,12})", r"\1@\2"),
    # A cutoff in words: recall@k=10, nDCG@all.
    (r"([a-z][a-z_-]*)@k=([0-9]{1,12})", r"\1@\2"),
    (r"([a-z][a-z_-]*)@(?:all|full)", r"\1"),
    # ranx: map-l2 and precision@10-l2, relevant from grade 2.
    (r"([a-z][a-z0-9_-]*)-l([0-9]{1,9})", r"\1(rel=\2)"),
    (r"([a-z][a-z0-9_-]*)(@[0-9]{1,12})-l([0-9]{1,9})", r"\1(rel=\3)\2"),
    # ranx: rbp.95, with p = 0.95.
    (r"rbp(?:@0)?\.([0-9]{1,9})", r"RBP(p=0.\1)"),
    # ranx: Burges' gain, 2^grade − 1.
    (r"(n?dcg)_burges((?:@[0-9]{1,12})?)", r"\1(gain=exponential)\2"),
    # CatBoost: PFound:top=10;decay=0.5 and NDCG:top=5;type=Exp.
    (r"(pfound)(.*)[:;]decay=([0-9.]+)(.*)", r"\1(p=\3)\2\4"),
    (r"(n?dcg)(.*)[:;]type=exp(.*)", r"\1(gain=exponential)\2\3"),
    (r"((?:pfound|n?dcg)(?:\(.*\))?)[:;]top=([0-9]{1,12})", r"\1@\2"),
)
_PATTERNS = [(re.compile(form, re.ASCII | re.IGNORECASE), ours) for form, ours in _SPELLINGS]

_GAINS = {"log2": "linear", "exp-log2": "exponential"}
"""What ir_measures calls the formulation of DCG is a gain here."""
_PATIENT = "NRBP", "nNRBP"
"""Their papers call the probability of reading on beta; beta is the weight of recall here."""

_WHY = {
    "numq": "it is the number of queries, not a score of each; --format trec prints it as num_q",
    "hits": "it is Success@k, whether there is a hit, or NumRelRet@k, how many, as in ranx",
    "cg": "it is a sum of gains without a discount, and all measures of gains here have one",
    "fallout": "it is divided by all documents that are not relevant, of which few are judged",
    "fbeta": "the weight of recall is missing; write F(beta=2)@10, or F1@10",
    "gauc": "it is an AUC over all items, also those that nobody judged",
    "infndcg infndcgcut": "it needs qrels with the strata of their sample",
    "itemcoverage coverage novelty diversity gini serendipity": "it is computed without judgments",
    "rbo kendall spearman": "it compares two rankings; rankscope compare and the page Compare do",
    "ee awrf": "it is of the exposure of groups, which qrels do not name",
    "contextprecision": "under the preset ragas it is AP@k, or P@k of ids",
    "contextrecall": "under the preset ragas it is R@k",
    "yaap": "it is an experiment of 2008",
    "prefs": "it compares preferences",
    "qrelsjg mapavgjg pavgjg rprecmultavgjg": "it averages over several judges' qrels",
    "exactmatch": "it compares answers, not rankings",
}
NOT_OFFERED = {name: why for several, why in _WHY.items() for name in several.split()}
"""Names of other tools, in lower case and without separators, that are no measure here, and why."""


def respelled(text: str) -> str | None:
    """Return a measure's name as we write it; None where no other tool's spelling is known.

    Examples
    --------
    >>> [respelled(text) for text in ("ndcg_at_10", "precision@10-l2", "rbp.95", "nDCG@10")]
    ['ndcg@10', 'precision(rel=2)@10', 'RBP(p=0.95)', None]
    >>> respelled("cosine_accuracy@5")
    'Success@5'
    """
    for pattern, ours in _PATTERNS:
        if match := pattern.fullmatch(text):
            found = match.expand(ours)
            return respelled(found) or found
    return None


def parameter(symbol: str, name: str, value: str) -> tuple[str, str]:
    """Return a parameter of ir_measures' as we write it; any other parameter as it is.

    Raises MeasureError when it is a choice of the convention here.

    Examples
    --------
    >>> parameter("nDCG", "dcg", "'exp-log2'"), parameter("P", "rel", "2")
    (('gain', 'exponential'), ('rel', '2'))
    """
    bare = value.strip("'\"")
    if name == "dcg" and bare in _GAINS:
        return "gain", _GAINS[bare]
    if name == "gains":
        return "gain", value
    if symbol in _PATIENT and name == "beta":
        return "p", bare
    if name == "judged_only":
        raise MeasureError(
            f"{symbol}: judged_only is a choice of the convention here, so that every measure has "
            'the same ranking: --set unjudged=removed, or Convention(unjudged="removed").'
        )
    return name, bare


def text_of(measure: Any) -> object:
    """Return the name of a measure of ir_measures as we write it; anything else as it is."""
    if type(measure).__module__.partition(".")[0] != "ir_measures":
        return measure
    parameters = dict(measure.params)
    number = parameters.pop(measure.AT_PARAM, None)
    if measure.NAME == "RBP":
        parameters.setdefault("p", 0.8)
    if measure.NAME == "SetF":
        # It hands beta to trec_eval's set_F, which weighs recall by it: the square of the usual.
        parameters["beta"] = math.sqrt(parameters.get("beta", 1.0))
    inside = ",".join(f"{name}={value}" for name, value in parameters.items())
    return measure.NAME + (f"({inside})" if inside else "") + (f"@{number}" if number else "")
