"""Draws the pictures of the documentation into docs/img; run it after changing one.

.venv/bin/python docs/pictures.py
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bentwood import (
    HoroForestClassifier,
    HoroSVC,
    HoroTreeClassifier,
    ManifoldForestClassifier,
    ManifoldForestRegressor,
    ManifoldTreeClassifier,
)
from bentwood.datasets import make_mixture
from bentwood.geometry import Manifold
from bentwood.plot import decision_regions, plot_tree

mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "bentwood", "font.size": 9})
IMAGES = Path(__file__).parent / "img"
RESULTS = Path(__file__).parents[1] / "bench" / "results"
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#888888"
Array = NDArray[np.float64]
METHODS = {
    "Geodesic Forest": {"color": ORANGE, "lw": 2.4, "marker": "o", "zorder": 3},
    "Euclid": {"color": "black", "marker": "s"},
    "Isomap": {"color": BLUE, "marker": "^"},
    "UMAP": {"color": GREEN, "marker": "v"},
    "HNSW": {"color": GREY, "marker": "x", "ls": "--"},
    "FLANN": {"color": "#56B4E9", "marker": "+", "ls": "--"},
    "Breiman-Cutler": {"color": "#CC79A7", "marker": "D"},
    "treeple": {"color": "#E69F00", "marker": "P"},
}
"""How the methods of bench/geodesic.py are drawn: told apart by colour, marker and line."""


def slice_of_the_hyperboloid(axes: Axes) -> None:
    """One ray of H^n: where a point of the hyperboloid goes in the other coordinates."""
    r = np.linspace(-1.75, 1.75, 200)
    axes.plot(np.sinh(r), np.cosh(r), color="black")
    axes.plot([-2.9, 0, 2.9], [2.9, 0, 2.9], ls=":", color=GREY, lw=0.8)
    axes.plot([-1, 1], [0, 0], color=BLUE, lw=3, solid_capstyle="butt")
    axes.plot([-1, 1], [1, 1], color=ORANGE, lw=3, solid_capstyle="butt")
    s = 1.2
    x0, x1 = np.cosh(s), np.sinh(s)
    axes.plot([0, x1], [-1, x0], color=BLUE, lw=0.9)
    axes.plot([0, x1], [0, x0], color=ORANGE, lw=0.9)
    axes.plot([x1, x1], [x0, -0.02], color=GREY, lw=0.6, ls="--")
    axes.plot(x1, x0, "o", color="black", zorder=3)
    axes.plot(x1 / (1 + x0), 0, "o", color=BLUE, zorder=3)
    axes.plot(x1 / x0, 1, "o", color=ORANGE, zorder=3)
    along = np.linspace(0, s, 50)
    axes.plot(np.sinh(along), np.cosh(along), color=GREEN, lw=3)
    axes.annotate("ambient $(x_0, x)$", (x1, x0), (0.35, 2.55), color="black")
    axes.annotate("Poincaré", (x1 / (1 + x0), 0), (-0.98, -0.36), color=BLUE)
    axes.annotate("Klein", (x1 / x0, 1), (-0.98, 0.68), color=ORANGE)
    axes.annotate("tangent: $r$", (0.9, 1.3), (0.02, 1.62), color=GREEN)
    axes.plot(0, -1, "k.", ms=4)
    axes.plot(0, 0, "k.", ms=4)
    axes.set(xlim=(-2.4, 2.6), ylim=(-1.3, 2.9), title="one point, four coordinates (R = 1)")
    axes.set_xlabel("x")
    axes.set_ylabel("$x_0$")
    axes.set_aspect("equal")


def hyperplanes(axis: int, level: float) -> Array:
    """A line of H2 on which the rapidity of one axis is constant, in ambient coordinates."""
    s = np.linspace(-6, 6, 400)
    across = np.sinh(s)
    along = np.cosh(s) * np.sinh(level)
    columns = [np.cosh(s) * np.cosh(level), along, across]
    if axis == 1:
        columns[1], columns[2] = columns[2], columns[1]
    return np.stack(columns, axis=1)


def same_lines(axes: Axes, coordinates: str, limit: float) -> None:
    """The level lines of both rapidities, and a few points."""
    manifold = Manifold("H2")
    for axis, colour in ((0, BLUE), (1, ORANGE)):
        for level in (-1.5, -0.75, 0.0, 0.75, 1.5):
            line = manifold.convert(hyperplanes(axis, level), target=coordinates)  # type: ignore[arg-type]
            axes.plot(line[:, 0], line[:, 1], color=colour, lw=0.9)
    points = manifold.convert(manifold.random(60, 0.9, 3), target=coordinates)  # type: ignore[arg-type]
    axes.plot(points[:, 0], points[:, 1], "o", color="black", ms=2.5)
    if coordinates != "tangent":
        turn = np.linspace(0, 2 * np.pi, 200)
        axes.plot(np.cos(turn), np.sin(turn), color="black", lw=1.2)
    axes.set(xlim=(-limit, limit), ylim=(-limit, limit), xticks=[], yticks=[])
    axes.set_aspect("equal")


def coordinates_picture() -> None:
    figure = Figure(figsize=(11, 3.4), layout="constrained")
    panels = figure.subplots(1, 4, width_ratios=[1.25, 1, 1, 1])
    slice_of_the_hyperboloid(panels[0])
    for axes, coordinates, title, limit in zip(
        panels[1:],
        ("poincare", "klein", "tangent"),
        (
            "Poincaré: geodesics are arcs",
            "Klein: geodesics are straight",
            "tangent: rays keep length",
        ),
        (1.05, 1.05, 3.2),
        strict=True,
    ):
        same_lines(axes, coordinates, limit)
        axes.set_title(title)
    figure.savefig(IMAGES / "coordinates.svg", metadata={"Date": None})


def mixture() -> tuple[Array, Array]:
    """Four classes in the Poincaré disk that overlap a little."""
    X, y = make_mixture(
        400, "H2", n_classes=4, noise=0.8, class_weights=[1, 1, 1, 1], random_state=1
    )
    return Manifold("H2").convert(X, target="poincare"), y


def tree_picture() -> None:
    X, y = mixture()
    model = ManifoldTreeClassifier("H2", coordinates="poincare", max_depth=3).fit(X, y)
    figure = Figure(figsize=(11, 4.6), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[1, 1.35])
    decision_regions(model, X, y, ax=left, resolution=800)
    left.set_title("its regions: every cut is a geodesic")
    plot_tree(model, ax=right)
    right.set_title("a tree of depth 3")
    figure.savefig(IMAGES / "tree_regions.png", dpi=160)


def forest_picture() -> None:
    X, y = mixture()
    distance = Manifold("H2", "poincare").radii(X)[:, 0]
    curved = ManifoldForestClassifier("H2", coordinates="poincare", random_state=0).fit(X, y)
    flat = ManifoldForestClassifier("E2", random_state=0).fit(X, y)
    values = ManifoldForestRegressor(
        "H2", coordinates="poincare", splits=("geodesic", "pairs"), random_state=0
    ).fit(X, distance)
    figure = Figure(figsize=(11, 3.6), layout="constrained")
    panels = figure.subplots(1, 3)
    decision_regions(curved, X, y, ax=panels[0], resolution=800, legend=False)
    panels[0].set_title("a forest on H2: 4 classes")
    decision_regions(flat, X, y, ax=panels[1], resolution=800)
    panels[1].set_title("a forest on E2, the same numbers")
    decision_regions(values, X, distance, ax=panels[2], resolution=800)
    panels[2].set_title("a forest on H2: distance from the origin")
    figure.savefig(IMAGES / "forest_regions.png", dpi=160)


def horosphere_picture() -> None:
    figure = Figure(figsize=(8.4, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    for axes, n_classes, seed in ((left, 4, 2), (right, 2, 2)):
        X, y = make_mixture(
            400, "H2", coordinates="poincare", n_classes=n_classes, noise=1, random_state=seed
        )
        model = HoroSVC("H2", coordinates="poincare", random_state=0).fit(X, y)
        decision_regions(model, X, y, ax=axes, resolution=800)
    left.set_title("4 classes, each against the rest")
    right.set_title("2 classes: one horosphere")
    figure.savefig(IMAGES / "horospheres.png", dpi=160)


def horo_tree_picture() -> None:
    X, y = mixture()
    tree = HoroTreeClassifier("H2", coordinates="poincare", max_depth=3, random_state=0)
    forest = HoroForestClassifier("H2", coordinates="poincare", random_state=0)
    figure = Figure(figsize=(8.4, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    decision_regions(tree.fit(X, y), X, y, ax=left, resolution=800, legend=False)
    left.set_title("a tree of depth 3: every cut is a horosphere")
    decision_regions(forest.fit(X, y), X, y, ax=right, resolution=800)
    right.set_title("a forest")
    figure.savefig(IMAGES / "horo_trees.png", dpi=160)


def geodesic_forest_picture() -> None:
    """What bench/geodesic.py has measured: how noise hides neighbours from each method."""
    measured = json.loads((RESULTS / "geodesic.json").read_text())["methods"]
    figure = Figure(figsize=(11, 3.4), layout="constrained")
    panels = figure.subplots(1, 4, sharey=True)
    simulations = ["linear", "helix", "sphere", "three Gaussians"]
    noise = ["0", "2", "4", "10", "100", "1000"]
    for axes, simulation in zip(panels, simulations, strict=True):
        for name, style in METHODS.items():
            if name in measured:
                scores = measured[name]["precision"][simulation]
                means = [np.mean(scores[column]) for column in noise]
                axes.plot(noise, means, label=name, ms=4, **({"lw": 1.2} | style))
        axes.set(title=simulation, xlabel="noise dimensions", ylim=(0, 1.03))
    panels[0].set_ylabel("geodesic precision at 50")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right center", frameon=False)
    figure.savefig(IMAGES / "geodesic_forests.png", dpi=160)


def connectome_picture() -> None:
    """What bench/papers_geodesic.py has measured: precision and recall among neurons."""
    measured = json.loads((RESULTS / "papers_geodesic.json").read_text())
    figure = Figure(figsize=(9.4, 3.6), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    titles = {"binary": "which neurons are connected", "weighted": "by how many synapses"}
    for axes, (graph, title) in zip(panels, titles.items(), strict=True):
        for name, style in METHODS.items():
            if name in measured[graph]:
                curve = measured[graph][name]
                line = {"lw": 1.2} | style | {"marker": None}
                axes.plot(curve["recall"], curve["precision"], label=name, **line)
        axes.set(title=title, xlabel="recall", xlim=(0, 0.6), ylim=(0.5, 1.01))
    panels[0].set_ylabel("precision")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right center", frameon=False)
    figure.savefig(IMAGES / "connectome.png", dpi=160)


def program_picture() -> None:
    """What the program draws of a tree."""
    program = Path(sys.executable).with_name("bentwood")
    where = ["-s", "H2", "-c", "poincare"]
    options = ["-n", "400", "--classes", "5", "--noise", "1", "--weights", "1,1,1,1,1"]
    with tempfile.TemporaryDirectory() as folder:
        for words in (
            ["generate", "mixture", *options, *where, "--seed", "7", "-o", "points.csv"],
            ["train", "points.csv", *where, "--method", "tree", "--max-depth", "5",
             "--splits", "geodesic,pairs", "--no-cv", "-o", "model.bent"],
            ["draw", "model.bent", "points.csv", "-o", "draw.svg"],
        ):  # fmt: skip
            subprocess.run([program, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        shutil.copy(Path(folder) / "draw.svg", IMAGES / "draw.svg")


def demo_picture() -> None:
    """The tree of bentwood demo."""
    program = Path(sys.executable).with_name("bentwood")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "demo", "-o", folder], check=True, stdout=subprocess.DEVNULL)
        shutil.copy(Path(folder) / "tree.svg", IMAGES / "tree.svg")


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    coordinates_picture()
    tree_picture()
    forest_picture()
    horosphere_picture()
    horo_tree_picture()
    geodesic_forest_picture()
    connectome_picture()
    program_picture()
    demo_picture()
