"""The undo journal: what a trial changed is taken back, or handed on to the trial around it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dy2st.runtime.heap.journal import Attribute, Journal


@pytest.fixture
def journal():
    journal = Journal()
    journal.savepoint()
    return journal


def test_what_a_trial_changed_is_taken_back_and_told(journal):
    owner = SimpleNamespace(count=1)
    journal.write(Attribute(owner, "count"), 2)
    (change,) = journal.rollback().values()
    assert (change.before, change.after, owner.count) == (1, 2, 1)


def test_what_is_kept_is_a_change_of_the_trial_around_it(journal):
    owner = SimpleNamespace(count=1)
    journal.savepoint()
    journal.write(Attribute(owner, "count"), 2)
    journal.commit(lambda _: False)
    assert owner.count == 2
    (change,) = journal.rollback().values()
    assert (change.before, change.after, owner.count) == (1, 2, 1)


def test_an_object_born_in_the_trial_around_it_is_no_change_of_that(journal):
    owner = SimpleNamespace(count=1)
    journal.savepoint()
    journal.write(Attribute(owner, "count"), 2)
    journal.commit(lambda location: location.owner is owner)
    assert journal.rollback() == {} and owner.count == 2
