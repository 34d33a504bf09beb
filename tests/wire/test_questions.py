"""Questions and pages as they cross the bus."""

from shared.wire.messages import decoder, encode
from shared.wire.questions import RECORDS_MAX, Page, Question


def test_a_question_and_its_page_come_back_as_they_were_sent() -> None:
    question = Question("records", "t", 3, start=7, limit=RECORDS_MAX)
    page = Page("ok", b"[]", next=507)
    assert decoder(Question).decode(encode(question)) == question
    assert decoder(Page).decode(encode(page)) == page
