#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/grow/depth_first.hpp"
#include "bentwood/grow/horosphere_search.hpp"
#include "bentwood/grow/node_random.hpp"
#include "bentwood/grow/row_sets.hpp"
#include "bentwood/grow/strategy.hpp"
#include "bentwood/grow/tree_builder.hpp"
#include "bentwood/split/entropy.hpp"
#include "bentwood/split/gini.hpp"
#include "bentwood/split/many_class_criteria.hpp"
#include "bentwood/split/squared_error.hpp"

namespace bentwood {
namespace {

// What the streams of one node are for: one a hyperbolic factor.
constexpr std::uint64_t horosphere_purpose = 5;

/// A tree in one set of rows. Nodes choose the best of the columns drawn for them and of the horospheres of every hyperbolic
/// factor, columns first among equals.
template <class Criterion>
class GrowWithHorospheres final : public TreeGrower::Strategy {
 public:
  GrowWithHorospheres(const RankedColumns& columns, const Target& target,
                      const GrowOptions& options)
      : soil_{columns, options},
        target_(target),
        criterion_(target.width),
        set_(columns.size(), columns.n_rows()),
        draw_(columns.size()) {
    set_.take(columns);
    for (const PolarPlace& place : options.horospheres.places) {
      searches_.emplace_back(columns.values(), place, target, options.horospheres);
    }
  }

  GrownTree grow(std::span<const double> weights, std::uint64_t seed) override {
    plant(weights);
    consider({0, 0, rows_.size(), 0, seed});
    std::size_t n_leaves = 1;
    while (!candidates_.empty() && !is_full(n_leaves)) {
      throw_if_interrupted();
      split(take_next());
      ++n_leaves;
    }
    for (const Candidate& left_over : candidates_) {
      criterion_.enter(std::span<const Row>(rows_of(left_over.open)));
      builder_->make_leaf(left_over.open.node, criterion_);
    }
    return take_tree();
  }

 private:
  using Row = LargeRows::Row;

  /// A node that is worth a split: of a column, or of a horosphere of one of the places.
  struct Candidate {
    OpenNode open{};
    Split split{};
    HorosphereSplit horosphere{};
    std::size_t place = 0;
    double gain = 0;

    friend bool operator<(const Candidate& a, const Candidate& b) {
      return std::tuple(a.gain, b.open.node) < std::tuple(b.gain, a.open.node);
    }
  };

  void plant(std::span<const double> weights) {
    weights_ = weights;
    criterion_.set_rows(target_, weights);
    candidates_.clear();
    rows_.clear();
    for (std::uint32_t row = 0; row < weights.size(); ++row) {
      if (weights[row] > 0) {
        rows_.push_back(row);
      }
    }
    spare_.resize(rows_.size());
    soil_.total_weight = std::accumulate(weights.begin(), weights.end(), 0.0);
    set_limits(criterion_, soil_);
    const bool has_pure_kinds = target_.task == Task::classification;
    builder_.emplace(target_.width, soil_.columns.size() + searches_.size(),
                     has_pure_kinds ? target_.width : 0);
  }

  GrownTree take_tree() {
    GrownTree result{{}, builder_->importances()};
    result.tree = builder_->take_tree();
    for (double& importance : result.importances) {
      importance /= soil_.total_weight;
    }
    for (double& gain : result.tree.own.gains) {
      gain /= soil_.total_weight;
    }
    return result;
  }

  [[nodiscard]] bool is_limited() const { return soil_.options.max_leaf_nodes > 0; }
  [[nodiscard]] bool is_full(std::size_t n_leaves) const {
    return is_limited() && n_leaves >= soil_.options.max_leaf_nodes;
  }

  std::span<Row> rows_of(const OpenNode& open) {
    return std::span(rows_).subspan(open.begin, open.end - open.begin);
  }

  /// The last node that was found, or where leaves are limited that of the greatest gain: a heap.
  Candidate take_next() {
    if (is_limited()) {
      std::ranges::pop_heap(candidates_, std::less<>());
    }
    Candidate next = std::move(candidates_.back());
    candidates_.pop_back();
    return next;
  }

  /// Finds the split of a node, or makes it a leaf.
  void consider(const OpenNode& open) {
    const std::span<const Row> rows = rows_of(open);
    criterion_.enter(rows);
    builder_->set_weight(open.node, criterion_.weight());
    Candidate found{.open = open};
    if (!must_be_leaf(criterion_, rows.size(), open.depth, soil_)) {
      search(rows, found);
    }
    if ((found.split.exists() || found.horosphere.exists()) && is_enough(found.gain, soil_)) {
      candidates_.push_back(std::move(found));
      if (is_limited()) {
        std::ranges::push_heap(candidates_, std::less<>());
      }
    } else {
      builder_->make_leaf(open.node, criterion_);
    }
  }

  void search(std::span<const Row> rows, Candidate& found) {
    found.split = search_split(criterion_, set_, rows, soil_, found.open.key, draw_, sums_);
    Split best = found.split;
    for (std::size_t place = 0; place < searches_.size(); ++place) {
      if (best.exists() && is_perfect(criterion_, best)) {
        break;
      }
      throw_if_interrupted();
      HorosphereSplit horosphere =
          searches_[place].best(criterion_, rows, weights_, soil_.limits,
                                Random(found.open.key, horosphere_purpose, place), sums_);
      if (horosphere.exists() && horosphere.score > best.score) {
        best.column = soil_.columns.size();
        best.score = horosphere.score;
        found.horosphere = std::move(horosphere);
        found.place = place;
      }
    }
    found.gain = best.exists() ? gain(criterion_, best) : 0;
  }

  void split(const Candidate& candidate) {
    const OpenNode& open = candidate.open;
    const std::span<Row> rows = rows_of(open);
    const auto [left, n_left] = candidate.horosphere.exists() ? split_horosphere(candidate, rows)
                                                              : split_column(candidate, rows);
    const std::size_t middle = open.begin + n_left;
    const OpenNode right_node{left + 1, middle, open.end, open.depth + 1,
                              NodeRandom::child_key(open.key, 1)};
    // The left one is split first.
    consider(right_node);
    consider({left, open.begin, middle, open.depth + 1, NodeRandom::child_key(open.key, 0)});
  }

  /// The left child and its number of rows, which now come first.
  struct Divided {
    std::uint32_t left = 0;
    std::size_t n_left = 0;
  };

  Divided split_column(const Candidate& candidate, std::span<Row> rows) {
    const Split& split = candidate.split;
    const RankView<Row> ranks = set_.column(split.column);
    const Division cut = division(soil_.columns, set_, ranks, split);
    const double threshold =
        split.wraps ? cut.threshold
                    : soil_.columns.threshold(split.column, split.lower_row, split.upper_row);
    return {builder_->split(candidate.open.node, split.column, threshold, candidate.gain),
            partition(rows, ranks, cut.end, std::span(spare_))};
  }

  Divided split_horosphere(const Candidate& candidate, std::span<Row> rows) {
    const PolarPlace& place = soil_.options.horospheres.places[candidate.place];
    const HorosphereSplit& found = candidate.horosphere;
    const std::uint32_t left =
        builder_->split_horosphere(candidate.open.node, place, soil_.columns.size(),
                                   candidate.place, found.ideal, found.threshold, candidate.gain);
    const MatrixView values = soil_.columns.values();
    const ColumnOrder<Row> line{};
    const auto is_left = [&](Row row) {
      return horosphere_level(values.row(row).data() + place.place, found.ideal) <= found.threshold;
    };
    return {left, partition(rows, line, is_left, std::span(spare_))};
  }

  Soil soil_;
  const Target& target_;
  Criterion criterion_;
  std::span<const double> weights_;
  std::optional<TreeBuilder> builder_;
  Numbers<Row> rows_;
  Numbers<Row> spare_;
  LargeRows set_;
  ColumnDraw draw_;
  SweepBuffer sums_;
  std::deque<HorosphereSearch<Criterion>> searches_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::unique_ptr<TreeGrower::Strategy> horosphere_strategy(const RankedColumns& columns,
                                                          const Target& target,
                                                          const GrowOptions& options,
                                                          bool counted) {
  const auto by = [&]<class Criterion>() -> std::unique_ptr<TreeGrower::Strategy> {
    return std::make_unique<GrowWithHorospheres<Criterion>>(columns, target, options);
  };
  if (target.task == Task::regression) {
    return target.width == 1 ? by.template operator()<SquaredError<1>>()
                             : by.template operator()<SquaredError<0>>();
  }
  if (target.width > most_dense_classes) {
    return options.impurity == Impurity::entropy ? by.template operator()<ManyClassEntropy>()
                                                 : by.template operator()<ManyClassGini>();
  }
  if (options.impurity == Impurity::entropy) {
    return counted ? by.template operator()<Entropy<CountedLabel>>()
                   : by.template operator()<Entropy<WeightedLabel>>();
  }
  return counted ? by.template operator()<Gini<CountedLabel>>()
                 : by.template operator()<Gini<WeightedLabel>>();
}

}  // namespace bentwood
