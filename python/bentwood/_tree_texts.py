"""The trees of a model for people to read."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bentwood import _core
from bentwood._parameters import UNLIMITED, as_limit, as_whole


class ReadableForest(Protocol):
    """What is asked of a model."""

    @property
    def n_trees(self) -> int:
        """How many trees there are."""

    def text(self, tree: int, options: _core.TreeTextOptions) -> str:
        """Return a tree as lines."""

    def graphviz(self, tree: int, options: _core.TreeTextOptions) -> str:
        """Return a tree for ``dot``."""


class TreeTexts:
    """What estimators can say whose model is made of trees."""

    _model: ReadableForest

    def export_text(self, tree: int = 0, *, max_depth: int | None = None, decimals: int = 3) -> str:
        """Return a tree as text, a line a side of a cut and a line a leaf.

        A leaf says its class or value, if there is one, the training weight that reached it and,
        where it is not pure, the shares of its classes. It is the text that ``bentwood inspect``
        shows.

        Parameters
        ----------
        tree : int
            The number of the tree in the forest.
        max_depth : int or None
            How many cuts deep to show; None means all.
        decimals : int
            Digits after the decimal point, up to 100.

        """
        self._require_tree(tree)
        return self._model.text(tree, self._text_options(max_depth, decimals))

    def export_graphviz(
        self, tree: int = 0, *, max_depth: int | None = None, decimals: int = 3
    ) -> str:
        """Return a tree in the language of Graphviz' ``dot``; see :meth:`export_text`."""
        self._require_tree(tree)
        return self._model.graphviz(tree, self._text_options(max_depth, decimals))

    def _require_tree(self, tree: int) -> None:
        """Raise an error unless there is a tree of that number."""
        check_is_fitted(self)
        n_trees = self._model.n_trees
        if as_whole(tree, "tree", 0) >= n_trees:
            raise ValueError(f"tree is {tree}, expected less than the number of trees, {n_trees}")

    def _text_options(self, max_depth: int | None, decimals: int) -> _core.TreeTextOptions:
        classes = np.asarray(getattr(self, "classes_", []))
        return _core.TreeTextOptions(
            as_limit(max_depth, "max_depth", 0, UNLIMITED),
            as_whole(decimals, "decimals", 0),
            # The library knows them as 0 and 1.
            [str(label) for label in classes] if classes.dtype == np.bool_ else [],
        )
