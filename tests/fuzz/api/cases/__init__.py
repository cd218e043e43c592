"""What is called: a case is a function of a session."""

from api.cases import datasets, estimators, files, geometry, metrics
from api.session import Session

#: The cases, and how often each is run.
CASES = {
    estimators.run: 70,
    geometry.run: 12,
    metrics.run: 8,
    datasets.run: 5,
    files.run: 5,
}


def run_case(session: Session) -> None:
    """Run the case that the session's seed stands for."""
    session.dice.weighted(CASES)(session)
