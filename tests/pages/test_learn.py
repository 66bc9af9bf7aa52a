"""Learn: every worked example, measure, path of questions and pitfall."""

from functools import partial
from string import ascii_lowercase

from metrics import REGISTRY, parse
from metrics.teaching import pitfalls
from metrics.teaching.chapters import chapters, scored
from metrics.teaching.glossary import GLOSSARY, entries, themes
from metrics.teaching.measure_index import LONGER, TASKS
from metrics.teaching.pitfalls import PITFALLS, link_name
from metrics.teaching.samples import catalogue, recomputed
from metrics.teaching.which_measure import DEPTHS, START, USE, USES, Advice
from metrics.teaching.worked_steps import steps
from pages.ui.learn.examples import why_they_differ
from pages.ui.pickers import FIRST
from tests.cases import cases, own_scale
from tests.pages.conftest import drawn, opened, scores, tables_of

CHAPTERS = chapters()
PRINTED = [key for key, sample in catalogue().items() if sample.printed]


learn = partial(opened, "learn")


def button(at, label):
    return next(each for each in at.button if each.label == label)


def said(at):
    return " ".join(element.value for element in [*at.markdown, *at.success, *at.error])


@cases("symbol", REGISTRY)
def test_every_measure_is_explained(symbol):
    at = learn(room="Measures", measure=symbol, k=3, **own_scale(symbol))
    assert not at.exception
    measure = REGISTRY[symbol]
    assert at.header[0].value.lower() == f"{measure.full_name} ({symbol})".lower()
    assert REGISTRY[symbol].meaning in said(at)
    # One of the spellings of a name is enough.
    shown = f"{said(at)} {at.header[0].value}".casefold().replace("z", "s")
    assert all(name.casefold().replace("z", "s") in shown for name in measure.also)
    # A mean is not another name of what it is the mean of.
    called, _, means = said(at).partition("Mean over queries: ")
    assert all(mean in means for mean in measure.mean_names)
    assert not any(f"Also called {mean}" in called for mean in measure.mean_names)
    assert REGISTRY[symbol].use in said(at)


def test_the_example_of_a_measure_can_be_edited():
    at = learn(room="Measures", measure="RR", k=0, grades="0,0,1")
    assert "**RR = 0.3333**" in said(at)
    at.text_input[0].set_value("3;x").run()
    assert "found '3;x'" in said(at)
    assert not at.exception


@cases("key", PRINTED)
def test_every_worked_example_lists_its_printed_numbers(key):
    at = learn(lesson=key)
    sample = catalogue()[key]
    frame = recomputed(sample)
    assert not at.exception
    # The steps are below the results.
    shown = tables_of(at)[-1 - len(steps(sample))]
    assert shown.equals(frame[shown.columns])
    assert {"measure", "printed", "recomputed", "verdict"} <= {*shown.columns}
    hidden = frame.columns.difference(shown.columns)
    assert all(frame[name].nunique() == 1 for name in hidden)
    assert len(tables_of(at)) == 1 + (not sample.drawn) + len(steps(sample))
    assert why_they_differ(sample) in said(at)
    cards = drawn(at, "sources")
    (card,) = [each for each in cards["lists"] if each["id"] == cards["chosen"] == key]
    assert [each == "✗" for each in card["marks"].split()] == [*(frame["verdict"] == "differs")]
    wrong = frame[frame["verdict"] != "agrees"]
    assert [line.split(": ")[0] for line in why_they_differ(sample).split("- **")[1:]] == [
        f"{row['measure']} of run {row['run']}" if frame["run"].nunique() > 1 else row["measure"]
        for _, row in wrong.iterrows()
    ]


def test_results_printed_with_their_data_are_counted():
    """One article prints results without data, so they cannot be recomputed."""
    samples = [catalogue()[key] for key in PRINTED if key != "reranking"]
    every = [verdict for sample in samples for verdict in recomputed(sample)["verdict"]]
    text = said(learn(lesson="laptop"))
    assert f"**{len(every)}** results" in text
    for verdict in ("agrees", "last digit", "differs"):
        assert f"**{every.count(verdict)}**" in text
    assert (len(every), every.count("differs")) == (79, 23)
    cards = drawn(learn(lesson="laptop"), "sources")["lists"]
    assert sum(len(each["marks"].split()) for each in cards) == 79 + 4
    (unchecked,) = [each["words"] for each in cards if each["marks"] == "– – – –"]
    assert unchecked == "it prints no data: not counted"
    captions = [each.value for each in learn(lesson="reranking").caption]
    assert any("The article prints no data" in each for each in captions)


@cases("title", CHAPTERS)
def test_a_chapter_shows_its_words_its_list_and_its_scores_and_leads_to_the_next(title):
    at = learn() if title == next(iter(CHAPTERS)) else learn(room=title)
    chapter = CHAPTERS[title]
    assert not at.exception
    assert not at.warning
    assert at.title[0].value == title
    assert chapter.opening in said(at)
    assert chapter.rest in said(at)
    rows = drawn(at, f"movable-{title}")["ranked"]
    assert [row["id"] for row in rows] == [e.document for e in chapter.ranking.retrieved]
    shown = {each["symbol"]: each["score"] for each in drawn(at, "readings")["measures"]}
    scores = {name: scored(chapter.ranking, each) for name, each in chapter.readings.items()}
    assert shown == {name: f"{ledger.scores[0]:.2f}" for name, ledger in scores.items()}
    following = [*CHAPTERS, "Practice"][[*CHAPTERS].index(title) + 1]
    (onward,) = [b for b in at.button if b.label.startswith("Next: ")]
    assert onward.label == f"Next: {following}"
    assert onward.proto.type == "primary"
    if following in CHAPTERS:
        onward.click().run()
        assert at.title[0].value == at.query_params["room"] == following


OLD = {"Contents": "What a grade is", "Worked examples": "Checked sources"}
OLD |= {"Measures": "One measure", "Pitfalls": "When numbers lie"}
OLD |= {"Why tools differ": "One list, four numbers"}


@cases(("name", "room"), [*OLD.items(), *zip(*[("Which measure?", "Glossary")] * 2, strict=True)])
def test_links_to_a_room_by_its_old_name_open_it(name, room):
    at = learn(room=name)
    assert not at.exception
    assert not at.warning
    assert at.title[0].value == room
    assert at.query_params.get("room", next(iter(CHAPTERS))) == room


def test_learn_has_the_doors_to_practice_and_to_the_tools():
    at = learn()
    doors = {each.proto.label: each.proto.page for each in at.get("page_link")}
    assert doors == {"Practice": "practice", "Why tools differ": "conventions"}
    # A chapter has no page's name; the one before the page has its door.
    assert not doors.keys() & CHAPTERS.keys()
    assert button(learn(room="One list, four numbers"), "Why tools differ")


def test_every_measure_has_a_card_that_opens_it_and_a_second_one_is_beside_it():
    usual, *families = (
        drawn(learn(room="All measures", **family), "cards")["lists"]
        for family in ({}, *({"family": name} for name in TASKS))
    )
    assert [each["id"] for each in usual] == [*FIRST]
    assert [tuple(each["id"] for each in family) for family in families] == [*TASKS.values()]
    assert {symbol for symbols in TASKS.values() for symbol in symbols} == {*REGISTRY}
    pictures = {each["id"]: each["cells"] for family in families for each in family}
    earning = {
        name: [each["place"] for each in cells if each["earned"]]
        for name, cells in pictures.items()
    }
    assert earning["RR"] == [2]
    assert earning["P"] == [2, 3, 5]
    assert earning["AP"] == [2, 3, 5, 7, 8]
    assert earning["IDCG"] == [1, 2, 3, 4, 5]
    # Down an ideal ranking no document earns more than the one above it.
    for name in ("IDCG", "IERR"):
        earned = [each["earned"] for each in pictures[name]]
        assert earned == sorted(earned, reverse=True)
    # The bars of recall are those that its number counts: the one that is not retrieved is apart.
    relevant = [each for each in pictures["R"] if each["grade"]]
    assert len(earning["R"]) / len(relevant) == 0.5
    assert [each["place"] for each in relevant] == [2, 3, 5, 7, 8, None]
    assert "**R@5 = 0.5000**" in said(learn(room="One measure", measure="R", k=5))
    at = learn(room="One measure", measure="RR", k=0, against="AP")
    shown = drawn(at, "readings")["measures"]
    assert [(each["symbol"], each["chosen"]) for each in shown] == [("RR", True), ("AP", False)]
    assert drawn(learn(room="One measure", measure="RR", k=0), "readings") is None
    shown = drawn(learn(room="One measure", measure="RR", k=10, against="Success@1"), "readings")
    assert [each["symbol"] for each in shown["measures"]] == ["RR@10", "Success@1"]


def ends(step, path=()):
    if isinstance(step, Advice):
        yield path, step
    else:
        for letter, answer in zip(ascii_lowercase, step.answers, strict=False):
            yield from ends(step.answers[answer], (*path, (letter, step.text, answer)))


@cases(("path", "advice"), list(ends(START)))
def test_every_path_of_questions_ends_in_a_measure(path, advice):
    at = learn(room="Which measure?")
    for _, question, answer in path:
        assert question in at.header[0].value
        button(at, answer).click().run()
        assert f"{question} **{answer}**" in said(at)
    button(at, "a result page").click().run()
    assert not at.exception
    assert at.header[0].value.startswith(f"Report {advice.measure.format(k=10)}, with ")
    assert advice.why.format(k=10) in said(at)
    choice = "-".join([*(letter for letter, *_ in path), "c"])
    assert at.query_params["choice"] == choice
    again = learn(room="Which measure?", choice=choice)
    assert said(again) == said(at)
    next(b for b in again.button if b.label.startswith("See ")).click().run()
    opened_measure = f"{again.session_state['measure']}@{again.session_state['k']}"
    assert opened_measure == advice.measure.format(k=10)


def test_each_recommendation_has_the_pictures_of_its_measures_at_its_cutoff():
    paths = [
        ("-".join([*(letter for letter, *_ in path), letter]), advice.at(k))
        for path, advice in ends(START)
        for letter, k in zip(ascii_lowercase, DEPTHS.values(), strict=False)
    ]
    seen = {}
    for choice, advice in paths:
        lists = drawn(learn(room="Which measure?", choice=choice), "recommended")["lists"]
        for name, shown in zip((advice.measure, advice.beside), lists, strict=True):
            assert shown["title"] == f"{name} = {LONGER.ledger(parse(name)).scores[0]:.2f}"
            places = [each["place"] for each in shown["cells"] if each["earned"]]
            assert max(places, default=0) <= (parse(name).cutoff or len(LONGER.retrieved))
        # Each answer to the last question draws another picture.
        drawing = str([(each["depth"], each["cells"]) for each in lists])
        assert seen.setdefault(drawing, advice.measure) == advice.measure
    windows = {min(k, len(LONGER.retrieved)) for k in DEPTHS.values()}
    assert len(windows) == len(DEPTHS)


def test_answers_can_be_taken_back():
    at = learn(room="Which measure?", choice="b-a-a")
    assert at.header[0].value == f"4. {USE.text}"
    for choice in ("b-a", "b", None):
        button(at, "Change the last answer").click().run()
        assert at.query_params.get("choice") == choice
    assert at.header[0].value == f"1. {START.text}"
    for choice in ("z", "b-a-a-c-a", "a--a"):
        assert "letters of answers" in learn(room="Which measure?", choice=choice).warning[0].value


def test_all_advice_names_measures():
    for k in DEPTHS.values():
        for _, advice in ends(START):
            for name in (advice.at(k).measure, advice.at(k).beside):
                assert str(parse(name)) == name
    at = learn(room="Which measure?")
    shown = {each["title"]: each for each in drawn(at, "uses")["lists"]}
    assert list(shown) == list(USES)
    for use, (first, second, why) in USES.items():
        assert (str(parse(first)), str(parse(second))) == (first, second)
        assert (shown[use]["asks"], shown[use]["words"]) == (f"{first} with {second}", why)
        # Each has the picture of its own measure.
        assert shown[use]["depth"] == parse(first).cutoff
    # People look for the names of means.
    (means,) = [each.value for each in at.caption if "MRR" in each.value]
    assert "is MAP." in means
    assert "is MRR." in said(learn(room="Which measure?", choice="b-a-b-a-c"))


@cases("title", PITFALLS)
def test_every_pitfall_is_shown_and_opens_on_inspect(title):
    at = learn(room="Pitfalls", pitfall=link_name(title))
    pitfall = PITFALLS[title]
    assert not at.exception
    assert not at.warning
    # What is wrong is read before anything is opened, and what shows it is beside the lists.
    (label,) = [each.label for each in at.expander if f" {title}.** " in each.label]
    assert label.partition(".** ")[2] == pitfall.mistake
    assert pitfall.shown in said(at)
    assert f"**Instead**: {pitfall.instead}" in said(at)
    assert [each.label.partition(".** ")[0].split(". ")[1] for each in at.expander] == [
        each for titles in pitfalls.CHAPTERS.values() for each in titles
    ]
    lists = drawn(at, f"lists_{link_name(title)}")["lists"]
    assert [each["title"] for each in lists] == list(pitfall.rankings)
    for place, shown in enumerate(lists):
        values = {name: f"{each[place]:.2f}" for name, each in pitfall.values().items()}
        assert dict(shown["values"]) == values
    buttons = [button for button in at.button if button.label.endswith("on Inspect")]
    assert len(buttons) == len(pitfall.rankings)
    buttons[0].click().run()
    at.switch_page("pages/inspect_query.py").run()
    value = next(iter(pitfall.values().values()))[0]
    assert scores(at)[0].value == f"{value:.4f}"


def test_a_word_leads_to_its_meaning():
    at = learn(room="Measures", measure="nDCG", k=5)
    next(button for button in at.button if button.label == "ideal").click().run()
    assert not at.exception
    assert f"- **ideal**&ensp;{GLOSSARY['ideal']}" in said(at)
    assert said(at).index("**ideal**") < said(at).index("**IDCG**")
    assert "**trec_eval**" not in said(at)
    at.text_input(key="word").set_value("").run()
    assert all(f"- **{word}**&ensp;{meaning}" in said(at) for word, meaning in entries().items())
    first = said(learn(room="Glossary", word="R")).split("- **")[1]
    assert first == f"R**&ensp;{GLOSSARY['R']}\n"
    assert "no `nonsense`" in learn(room="Glossary", word="nonsense").info[0].value


def test_each_theme_of_the_glossary_leads_to_a_page_where_it_is_seen_at_work():
    at = learn(room="Glossary")
    live = [each.label for each in at.button if each.label.startswith("See it live: ")]
    assert len(live) == len(themes()) - 1
    button(at, "See it live: Compare").click().run()
    assert not at.exception


@cases(("measure", "k"), [("RBP", 0), ("F", 5), ("nDCG", 3)])
def test_the_example_of_a_measure_opens_on_inspect(measure, k):
    at = learn(room="Measures", measure=measure, k=k, grades="1,0,3 | 2")
    shown = next(line for line in said(at).split("**") if line.startswith(measure))
    next(button for button in at.button if button.label == "Open on Inspect").click().run()
    at.switch_page("pages/inspect_query.py").run()
    assert f"{scores(at)[0].label} = {scores(at)[0].value}" == shown
