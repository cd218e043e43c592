"""Pictures of models: regions, cuts and diagrams."""

from __future__ import annotations

import subprocess
import sys

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex, to_rgba
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from bentwood import (
    HoroSVC,
    ManifoldForestClassifier,
    ManifoldForestRegressor,
    ManifoldTreeClassifier,
    ManifoldTreeRegressor,
    PoincarePerceptron,
    PoincareSVC,
)
from bentwood.datasets import make_mixture
from bentwood.geometry import Manifold
from bentwood.plot import decision_regions, plot_tree

OKABE_ITO = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442", "#000000"]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def mixture(signature, coordinates="ambient", n_classes=3, seed=1):
    X, y = make_mixture(150, signature, n_classes=n_classes, random_state=seed)
    return Manifold(signature).convert(X, target=coordinates), y


def pixel_points(ax, model, n):
    """The middles of the picture's pixels inside the disk or the window, in model coordinates."""
    left, right, bottom, top = ax.images[0].get_extent()
    x = left + (right - left) * (np.arange(n) + 0.5) / n
    y = bottom + (top - bottom) * (np.arange(n) + 0.5) / n
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    manifold = Manifold(model.signature_, model.coordinates)
    if model.signature_.startswith("H"):
        inside = np.hypot(*grid.T) < 0.999
        curvature = float(model.signature_[3:-1] or -1)
        disk = grid[inside] / np.sqrt(-curvature)
        return inside, manifold.convert(disk, source="poincare")
    return np.ones(len(grid), bool), manifold.convert(grid, source="ambient")


@pytest.mark.parametrize(
    ("signature", "coordinates"),
    [("H2", "ambient"), ("H2(-0.25)", "klein"), ("H2(-4)", "poincare"), ("E2", "ambient")],
)
@pytest.mark.parametrize("splits", [("geodesic",), ("geodesic", "pairs")])
def test_regions_are_what_the_model_predicts(signature, coordinates, splits):
    X, y = mixture(signature, coordinates)
    names = np.array(["ant", "bee", "cat"])
    model = ManifoldForestClassifier(
        signature, coordinates=coordinates, splits=splits, n_estimators=7, random_state=0
    ).fit(X, names[y])
    ax = decision_regions(model, X, names[y], resolution=60)
    assert ax is plt.gca()
    image = ax.images[0].get_array().reshape(-1, 4)
    inside, points = pixel_points(ax, model, 60)
    palette = {name: to_rgba(colour, 0.32) for name, colour in zip(names, OKABE_ITO, strict=False)}
    expected = np.array([palette[label] for label in model.predict(points)])
    np.testing.assert_allclose(image[inside], expected)
    assert not any(line.get_paths() for line in ax.collections if line.get_zorder() == 2)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["ant", "bee", "cat"]


def test_one_tree_of_a_forest_can_be_drawn():
    X, y = mixture("H2")
    forest = ManifoldForestClassifier("H2", n_estimators=5, max_depth=4, random_state=0).fit(X, y)
    ax = decision_regions(forest, tree=3, resolution=50, alpha=1)
    image = ax.images[0].get_array().reshape(-1, 4)
    inside, points = pixel_points(ax, forest, 50)
    leaves = forest.apply(points)[:, 3]
    winners = forest.trees_[3].value[leaves].argmax(axis=1)
    np.testing.assert_allclose(image[inside], [to_rgba(OKABE_ITO[label]) for label in winners])


def test_cuts_are_active_geodesics_at_right_angles_to_the_rim():
    X, y = mixture("H2")
    model = ManifoldTreeClassifier("H2", splits=("geodesic", "pairs"), max_depth=4).fit(X, y)
    ax = decision_regions(model, resolution=10)
    (lines,) = [found for found in ax.collections if found.get_zorder() == 2]
    assert 3 <= len(lines.get_segments()) <= np.sum(model.tree_.feature >= 0)
    disk = Manifold("H2", "poincare")
    for curve in lines.get_segments():
        # Equal steps along a geodesic: |c|² = r² + 1 holds for the circle through any three points.
        if len(curve) > 2:
            a, b, c = curve[0], curve[len(curve) // 2], curve[-1]
            centre = np.linalg.solve([b - a, c - a], [(b @ b - a @ a) / 2, (c @ c - a @ a) / 2])
            radius = np.hypot(*(a - centre))
            assert centre @ centre == pytest.approx(radius**2 + 1, rel=1e-6)
        else:
            # A diameter, or a part of one.
            assert abs(curve[0][0] * curve[1][1] - curve[0][1] * curve[1][0]) < 1e-6
        # On both sides of an active cut are different leaves.
        middle = curve[len(curve) // 2] if len(curve) > 2 else curve.mean(axis=0)
        along = curve[len(curve) // 2 + 1] - middle if len(curve) > 2 else curve[1] - middle
        across = 1e-6 * np.array([-along[1], along[0]]) / np.hypot(*along)
        sides = disk.convert(np.stack([middle + across, middle - across]), target="ambient")
        left, right = model.apply(sides)
        assert left != right


def test_values_are_drawn_on_a_scale_with_a_bar():
    X, _ = mixture("E2")
    model = ManifoldTreeRegressor("E2", max_depth=3).fit(X, X[:, 0])
    ax = decision_regions(model, X, X[:, 0], resolution=40)
    inside, points = pixel_points(ax, model, 40)
    assert inside.all()
    np.testing.assert_array_equal(ax.images[0].get_array().ravel(), model.predict(points))
    assert ax.images[0].get_clim() == (X[:, 0].min(), X[:, 0].max())
    assert len(ax.figure.axes) == 2
    bare = decision_regions(model, legend=False, resolution=5)
    assert len(bare.figure.axes) == 1
    both = ManifoldForestRegressor("E2", n_estimators=3).fit(X, X)
    second = decision_regions(both, output=1, resolution=40)
    _, points = pixel_points(second, both, 40)
    np.testing.assert_array_equal(second.images[0].get_array().ravel(), both.predict(points)[:, 1])


def test_no_two_of_24_classes_look_the_same():
    X, _ = mixture("H2")
    y = np.arange(len(X)) % 24
    model = ManifoldTreeClassifier("H2").fit(X, y)
    ax = decision_regions(model, X, y, resolution=200)
    marks = [found for found in ax.collections if found.get_zorder() == 3]
    colours = [to_hex(mark.get_facecolor()[0]) for mark in marks]
    assert colours[:8] == OKABE_ITO
    assert len(set(colours)) == 24
    shapes = [mark.get_paths()[0].vertices.tobytes() for mark in marks]
    assert [len(set(shapes[first : first + 8])) for first in (0, 8, 16)] == [1, 1, 1]
    assert len(set(shapes)) == 3
    # Regions have the colours of the points.
    predicted = {to_rgba(colours[label], 0.32) for label in model.predict(X)}
    drawn = {tuple(colour) for colour in ax.images[0].get_array().reshape(-1, 4).tolist()}
    assert len(drawn) > 8
    assert drawn <= predicted


def test_the_given_axes_are_used_and_names_of_features_shown():
    pandas = pytest.importorskip("pandas")
    X, y = mixture("E2")
    frame = pandas.DataFrame(X, columns=["width", "height"])
    model = ManifoldForestClassifier(n_estimators=3).fit(frame, y)
    ax = plt.figure().subplots(1, 2)[1]
    assert decision_regions(model, frame, ax=ax, cuts=True, resolution=10) is ax
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("width", "height")
    assert len([found for found in ax.collections if found.get_zorder() == 2]) == 3


def test_a_diagram_has_a_box_for_every_node():
    X, y = mixture("H2 x S2")
    model = ManifoldForestClassifier("H2 x S2", n_estimators=2, max_depth=3, random_state=0).fit(
        X, y
    )
    ax = plot_tree(model, 1)
    tree = model.trees_[1]
    assert len(ax.texts) == tree.node_count
    root = ax.texts[[text.get_position()[1] for text in ax.texts].index(0)].get_text()
    name, side, weight = root.split("\n")
    assert name == model.column_names_[tree.feature[0]]
    assert f"{tree.threshold[0]:.2f}" in side
    assert weight == "weight 150"
    shallow = plot_tree(model, 1, max_depth=1, fontsize=8, decimals=3)
    assert len(shallow.texts) == 3
    assert sum(" more nodes" in text.get_text() for text in shallow.texts) >= 1
    assert shallow.texts[0].get_fontsize() == 8


def test_boxes_of_a_diagram_do_not_touch():
    X, y = mixture("H2")
    model = ManifoldTreeClassifier("H2", max_depth=4).fit(X, y)
    _, ax = plt.subplots(figsize=(10, 6))
    plot_tree(model, ax=ax)
    ax.figure.canvas.draw()
    boxes = [text.get_bbox_patch().get_window_extent() for text in ax.texts]
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])


def message(error, call, *arguments, **named):
    with pytest.raises(error) as caught:
        call(*arguments, **named)
    return str(caught.value)


def test_mistakes_are_named():
    X, y = mixture("H2")
    tree = ManifoldTreeClassifier("H2", max_depth=2)
    with pytest.raises(NotFittedError):
        decision_regions(tree)
    tree.fit(X, y)
    assert message(TypeError, decision_regions, DecisionTreeClassifier()) == (
        "estimator is a DecisionTreeClassifier, expected a tree or forest of bentwood"
    )
    assert message(ValueError, decision_regions, tree, y=y) == (
        "y is given without X: labels need points"
    )
    assert message(ValueError, decision_regions, tree, X, y[:3]) == (
        "y has the shape (3,), expected (150,) as X has rows"
    )
    assert message(ValueError, decision_regions, tree, X, y + 1) == (
        f"row {int((y == 2).argmax())} of y is 3, which is none of the model's classes"
    )
    assert message(ValueError, decision_regions, tree, tree=1) == (
        "tree is 1, expected less than the number of trees, 1"
    )
    assert message(ValueError, decision_regions, tree, resolution=0) == (
        "resolution is 0, expected a whole number of at least 1"
    )
    other = ManifoldTreeClassifier("H2 x E1", coordinates="poincare")
    other.fit(np.column_stack([Manifold("H2").convert(X, target="poincare"), y]), y)
    assert message(ValueError, decision_regions, other) == (
        "the model is on H2 x E1, and regions can be drawn on H2 and E2 only"
    )
    values = ManifoldTreeRegressor("H2", max_depth=2).fit(X, X[:, 0])
    assert message(ValueError, decision_regions, values, output=1) == (
        "output is 1, expected less than the number of outputs, 1"
    )


def test_without_matplotlib_the_error_says_what_to_install():
    script = """
import sys
sys.modules["matplotlib"] = None
from bentwood.plot import decision_regions
try:
    decision_regions(None)
except ImportError as error:
    print(error)
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout == (
        "bentwood.plot needs matplotlib; install it with pip install 'bentwood[plot]'\n"
    )


@pytest.mark.parametrize(
    ("signature", "coordinates", "n_classes"),
    [("H2", "poincare", 2), ("H2(-0.25)", "klein", 4), ("H2(-4)", "ambient", 3)],
)
def test_horospheres_are_circles_that_touch_the_rim(signature, coordinates, n_classes):
    X, y = mixture(signature, coordinates, n_classes)
    model = HoroSVC(signature, coordinates=coordinates, random_state=0).fit(X, y)
    ax = decision_regions(model, X, y, resolution=80)
    circles = [patch for patch in ax.patches if patch.get_zorder() == 2]
    assert len(circles) == len(model.ideal_points_)
    manifold = Manifold(signature, coordinates)
    radius = 1 / np.sqrt(-float(signature[3:-1] or -1))
    for circle, ideal, level in zip(circles, model.ideal_points_, model.levels_, strict=True):
        centre, size = np.array(circle.get_center()), circle.get_radius()
        np.testing.assert_allclose(centre + size * ideal, ideal, atol=1e-12)
        angles = np.linspace(0, 2 * np.pi, 9)[:-1] + np.arctan2(ideal[1], ideal[0]) + 0.3
        around = centre + size * np.column_stack([np.cos(angles), np.sin(angles)])
        points = manifold.convert(radius * around, source="poincare")
        np.testing.assert_allclose(manifold.busemann(points, ideal), level, atol=1e-9)
    inside, points = pixel_points(ax, model, 80)
    shown = np.asarray(ax.images[0].get_array()).reshape(-1, 4)[inside]
    palette = np.array([to_rgba(OKABE_ITO[label], 0.32) for label in range(n_classes)])
    np.testing.assert_allclose(shown, palette[model.predict(points)])
    assert not [p for p in decision_regions(model, cuts=False).patches if p.get_zorder() == 2]


def test_a_horo_svc_has_no_trees_to_draw():
    X, y = mixture("H2")
    model = HoroSVC("H2", coordinates="ambient").fit(X, y)
    with pytest.raises(ValueError, match=r"^tree is 0, expected None: a HoroSVC has no trees$"):
        decision_regions(model, tree=0)
    with pytest.raises(TypeError, match=r"^estimator is a HoroSVC, expected a tree or forest of"):
        plot_tree(model)
    X3, y3 = mixture("H3")
    with pytest.raises(ValueError, match="H3"):
        decision_regions(HoroSVC("H3", coordinates="ambient").fit(X3, y3))


@pytest.mark.parametrize(
    ("model", "n_classes"),
    [
        (PoincareSVC("H2", coordinates="poincare"), 2),
        (PoincareSVC("H2(-0.25)", coordinates="klein", probability=True), 4),
        (PoincareSVC("H2(-4)", coordinates="ambient", space="lorentz"), 3),
        (PoincareSVC("E2", coordinates="ambient"), 3),
        (PoincarePerceptron("H2", coordinates="poincare", random_state=0), 2),
    ],
)
def test_linear_models_are_drawn_with_the_lines_where_their_scores_vanish(model, n_classes):
    X, y = mixture(model.signature, model.coordinates, n_classes)
    model.fit(X, y)
    ax = decision_regions(model, X, y, resolution=80)
    inside, points = pixel_points(ax, model, 80)
    shown = np.asarray(ax.images[0].get_array()).reshape(-1, 4)[inside]
    palette = np.array([to_rgba(OKABE_ITO[label], 0.32) for label in range(n_classes)])
    np.testing.assert_allclose(shown, palette[model.predict(points)])
    lines = [found for found in ax.collections if found.get_zorder() == 2]
    assert len(lines) == (1 if n_classes == 2 else n_classes)
    manifold = Manifold(model.signature, model.coordinates)
    radius = 1 / np.sqrt(-float(model.signature[3:-1] or -1)) if "H" in model.signature else 1
    n_compared = 0
    for number, line in enumerate(lines):
        curve = np.concatenate([path.vertices for path in line.get_paths()])
        if "H" in model.signature:
            curve = radius * curve[np.hypot(*curve.T) < 0.98]
        at = manifold.convert(curve, source="poincare" if "H" in model.signature else "ambient")
        scores = model._model.scores((at, "float64"), None)[0][:, number]
        everywhere = model._model.scores((points, "float64"), None)[0][:, number]
        np.testing.assert_array_less(np.abs(scores), 1e-2 * np.abs(everywhere).max())
        n_compared += len(scores)
    assert n_compared > 100
    assert not [p for p in decision_regions(model, cuts=False).collections if p.get_zorder() == 2]
    with pytest.raises(ValueError, match=r"^tree is 0, expected None: a Poinc\w+ has no trees$"):
        decision_regions(model, tree=0)


def test_the_plane_without_points_shows_the_boundaries_of_a_linear_model():
    X, y = mixture("E2", n_classes=2)
    for space in ("tangent", "lorentz"):
        model = PoincareSVC("E2", coordinates="ambient", space=space).fit(X + 1000, y)
        ax = decision_regions(model)
        assert len([found for found in ax.collections if found.get_zorder() == 2]) == 1
