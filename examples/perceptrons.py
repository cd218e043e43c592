"""How many mistakes it takes to find a hyperplane, and what theory has to say about it.

Points of the ten-dimensional Poincaré ball on both sides of a hyperplane, with less and less room
between them. The first-order perceptron needs more and more mistakes, the second-order one hardly
more: it whitens the rows that it has erred on. Then the same data in batches, as they would come
from a stream.
"""

from bentwood import PoincarePerceptron, PoincareSecondOrderPerceptron
from bentwood.datasets import make_separable

print("margin   first order   (at most)   second order   (at most)")
for margin in (1.0, 0.1, 0.01):
    data = make_separable(2000, "H10", margin=margin, coordinates="poincare", random_state=0)
    settings = {
        "signature": "H10",
        "coordinates": "poincare",
        "reference": data.reference,
        "max_iter": 100_000,
        "random_state": 0,
    }
    first = PoincarePerceptron(**settings).fit(data.X, data.y)
    second = PoincareSecondOrderPerceptron(**settings).fit(data.X, data.y)
    print(
        f"{margin:6g}   {first.n_updates_[0]:11}   {first.bound_[0]:9.2g}"
        f"   {second.n_updates_[0]:12}   {second.bound_[0]:9.2g}"
    )

model = PoincareSecondOrderPerceptron("H10", coordinates="poincare", reference=data.reference)
for begin in range(0, 2000, 500):
    batch = slice(begin, begin + 500)
    model.partial_fit(data.X[batch], data.y[batch], classes=[0, 1])
    print(
        f"{begin + 500} rows seen, {model.n_updates_[0]} mistakes so far,"
        f" accuracy on all rows {model.score(data.X, data.y):.3f}"
    )
