#include "bentwood/grow/grow_tree.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "bentwood/base/parallel.hpp"
#include "bentwood/base/pool.hpp"
#include "bentwood/grow/best_first.hpp"
#include "bentwood/grow/depth_first.hpp"
#include "bentwood/grow/strategy.hpp"
#include "bentwood/grow/top_rows.hpp"
#include "bentwood/split/entropy.hpp"
#include "bentwood/split/gini.hpp"
#include "bentwood/split/many_class_criteria.hpp"
#include "bentwood/split/squared_error.hpp"

namespace bentwood {

namespace {

/// The most rows of a part that is grown by one thread: a function of the rows alone, so that the numbers of
/// the nodes are one as well.
std::size_t part_rows(std::size_t n_rows) {
  // Smaller parts of more rows would take the top too many passes over whole columns.
  constexpr std::size_t many_rows = std::size_t{1} << 20U;
  return std::clamp<std::size_t>(
      n_rows / 8, 16384, n_rows <= many_rows ? PartRows::most_short_rows : PartRows::most_rows);
}

/// One tree: its top on all rows, the columns of a node shared out to the threads; then the parts below, one thread a
/// part.
template <class Criterion>
class GrowBy final : public TreeGrower::Strategy {
 public:
  GrowBy(const RankedColumns& columns, const Target& target, const GrowOptions& options)
      : soil_{columns, options},
        target_(target),
        criterion_(target.width),
        draw_(columns.size()),
        top_columns_(columns),
        node_(columns.n_rows()),
        passed_(columns.n_rows()),
        part_rows_(columns) {}

  GrownTree grow(std::span<const double> weights, std::uint64_t seed) override {
    plant(weights);
    if (soil_.options.max_leaf_nodes > 0) {
      grow_best_first(seed);
    } else {
      grow_top(seed);
      grow_parts();
    }
    GrownTree result{{}, builder_->importances()};
    for (double& importance : result.importances) {
      importance /= soil_.total_weight;
    }
    result.tree = builder_->take_tree();
    n_nodes_ = result.tree.nodes.size();
    return result;
  }

 private:
  using Row = TopRows::Row;

  /// What one thread needs at the top of a tree.
  struct TopTools {
    TopTools(const Soil& soil, TopColumns& columns, const RowBits& node)
        : rows(soil.columns, columns, node) {}
    TopRows rows;
    SweepBuffer sums;
  };

  template <class Use>
  void with_top(Use use) {
    top_tools_.with([&] { return std::make_unique<TopTools>(soil_, top_columns_, node_); }, use);
  }

  void plant(std::span<const double> weights) {
    criterion_.set_rows(target_, weights);
    parts_.clear();
    soil_.total_weight = 0;
    rows_.resize(weights.size());
    std::size_t n_rows = 0;
    for (std::uint32_t row = 0; row < weights.size(); ++row) {
      rows_[n_rows] = row;
      n_rows += weights[row] > 0 ? std::size_t{1} : 0;
      soil_.total_weight += weights[row];
    }
    rows_.resize(n_rows);
    spare_.resize(n_rows);
    set_limits(criterion_, soil_);
    builder_.emplace(new_builder());
    // Trees of a forest are of much the same size.
    builder_->reserve(n_nodes_ + n_nodes_ / 16);
  }

  [[nodiscard]] TreeBuilder new_builder() const {
    const bool has_pure_kinds = target_.task == Task::classification;
    return {target_.width, soil_.columns.size(), has_pure_kinds ? target_.width : 0};
  }

  /// In one set of rows, since the next node may lie anywhere.
  void grow_best_first(std::uint64_t seed) {
    if (rows_.size() > SmallRows::most_rows) {
      LargeRows set(soil_.columns.size(), soil_.columns.n_rows());
      set.take(soil_.columns);
      BestFirst<Criterion, LargeRows>(soil_, set, criterion_, std::span(rows_))
          .grow(seed, *builder_);
      return;
    }
    const RowRange all{0, rows_.size()};
    part_rows_.share_out(rows_, std::span(&all, 1));
    SmallRows set(soil_.columns.size(), rows_.size());
    set.take(part_rows_, 0);
    Criterion criterion(target_.width);
    criterion.set_rows(criterion_, std::span<const Row>(rows_));
    Numbers<SmallRows::Row> own_rows(rows_.size());
    std::iota(own_rows.begin(), own_rows.end(), SmallRows::Row{0});
    BestFirst<Criterion, SmallRows>(soil_, set, criterion, std::span(own_rows))
        .grow(seed, *builder_);
  }

  void grow_top(std::uint64_t seed) {
    std::vector<OpenNode> open{{0, 0, rows_.size(), 0, seed}};
    top_columns_.start();
    while (!open.empty()) {
      const OpenNode node = open.back();
      open.pop_back();
      throw_if_interrupted();
      if (node.end - node.begin <= part_rows(soil_.columns.n_rows())) {
        parts_.push_back(node);
      } else {
        grow_top_node(node, open);
      }
    }
  }

  void grow_top_node(const OpenNode& node, std::vector<OpenNode>& open) {
    const std::span<Row> rows = std::span(rows_).subspan(node.begin, node.end - node.begin);
    criterion_.enter(std::span<const Row>(rows));
    builder_->set_weight(node.node, criterion_.weight());
    Split split;
    if (!must_be_leaf(criterion_, rows.size(), node.depth, soil_)) {
      top_columns_.enter({node.begin, node.end}, rows);
      split = search_top_split(rows, node.key);
    }
    if (!split.exists() || !is_enough(gain(criterion_, split), soil_)) {
      builder_->make_leaf(node.node, criterion_);
      return;
    }
    const TopDivision cut = top_division(split);
    const std::uint32_t left =
        builder_->split(node.node, split.column, cut.threshold, gain(criterion_, split));
    const std::size_t middle = node.begin + divide(rows, split.column, cut.n_passed);
    open.push_back(
        {left + 1, middle, node.end, node.depth + 1, NodeRandom::child_key(node.key, 1)});
    open.push_back({left, node.begin, middle, node.depth + 1, NodeRandom::child_key(node.key, 0)});
  }

  /// What a cut at the top comes to: the rows that are passed, and the threshold.
  struct TopDivision {
    std::size_t n_passed = 0;
    double threshold = 0;
  };
  [[nodiscard]] TopDivision top_division(const Split& split) const {
    if (!split.wraps) {
      return {split.n_passed,
              soil_.columns.threshold(split.column, split.lower_row, split.upper_row)};
    }
    const RankedColumns::Wrapped wrapped =
        soil_.columns.wrapped_threshold(split.column, split.lower_row, split.upper_row);
    return {wrapped.before_all ? 0 : split.n_passed, wrapped.threshold};
  }

  /// Divides the rows of the node at hand after the first `n_passed` of a column. Returns the number on the left.
  std::size_t divide(std::span<Row> rows, std::size_t column, std::size_t n_passed) {
    const ColumnOrder<Row> order = top_columns_.order(column);
    with_top(
        [&](TopTools& tools) { passed_.assign(tools.rows.sort(rows, order).first(n_passed)); });
    return partition(
        rows, order, [&](Row row) { return passed_.contains(row); }, std::span(spare_));
  }

  /// As search_split, but looks at the drawn columns side by side.
  Split search_top_split(std::span<const Row> rows, std::uint64_t key) {
    draw_.start(key, soil_.options.max_features < soil_.columns.size());
    node_.assign(rows);
    Split best;
    while (!draw_.is_empty() && !best.exists()) {
      std::vector<std::size_t> drawn;
      const std::size_t n_wanted = draw_.n_drawn() == 0 ? soil_.options.max_features : 1;
      while (!draw_.is_empty() && drawn.size() < n_wanted) {
        drawn.push_back(draw_.next());
      }
      std::vector<Split> found(drawn.size());
      parallel_blocks(drawn.size(), 1, [&](std::size_t item, std::size_t) {
        with_top([&](TopTools& tools) {
          consider_column(criterion_, tools.rows, rows, drawn[item], soil_.limits, tools.sums,
                          found[item]);
        });
      });
      for (const Split& split : found) {
        if (split.exists() && split.score > best.score) {
          best = split;
        }
      }
    }
    return best;
  }

  void grow_parts() {
    std::span<const OpenNode> rest(parts_);
    while (!rest.empty()) {
      const std::size_t n_parts = std::min(rest.size(), PartRows::most_parts);
      grow_parts(rest.first(n_parts));
      rest = rest.subspan(n_parts);
    }
  }

  void grow_parts(std::span<const OpenNode> parts) {
    std::vector<RowRange> ranges;
    ranges.reserve(parts.size());
    for (const OpenNode& part : parts) {
      ranges.push_back({part.begin, part.end});
    }
    part_rows_.share_out(rows_, ranges);
    if (thread_count() == 1) {
      for (std::size_t part = 0; part < parts.size(); ++part) {
        builder_->grow_part(parts[part].node, [&](std::uint32_t root) {
          grow_part(part, parts[part], root, *builder_);
        });
      }
      return;
    }
    std::deque<TreeBuilder> builders;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      builders.push_back(new_builder());
    }
    parallel_blocks(parts.size(), 1, [&](std::size_t part, std::size_t) {
      grow_part(part, parts[part], 0, builders[part]);
    });
    for (std::size_t part = 0; part < parts.size(); ++part) {
      builder_->graft(parts[part].node, builders[part]);
    }
  }

  void grow_part(std::size_t part, OpenNode open, std::uint32_t root, TreeBuilder& builder) {
    open.node = root;
    growers_.with(
        [&] { return std::make_unique<DepthFirst<Criterion>>(soil_, criterion_, target_.width); },
        [&](DepthFirst<Criterion>& grower) { grower.grow(part_rows_, part, open, builder); });
  }

  Soil soil_;
  const Target& target_;
  Criterion criterion_;
  std::optional<TreeBuilder> builder_;
  ColumnDraw draw_;
  std::size_t n_nodes_ = 0;
  Numbers<Row> rows_;
  Numbers<Row> spare_;
  std::vector<OpenNode> parts_;
  TopColumns top_columns_;
  /// The rows of the top's node at hand, and those that its cut has passed.
  RowBits node_;
  RowBits passed_;
  PartRows part_rows_;
  Pool<TopTools> top_tools_;
  Pool<DepthFirst<Criterion>> growers_;
};

/// What a row's class and weight are stored in. The trees are the same.
enum class LabelKind : std::uint8_t { small, counted, weighted, many };

LabelKind label_kind(const Target& target, const GrowOptions& options,
                     std::span<const double> weights) {
  if (target.task == Task::classification && target.width > most_dense_classes) {
    return LabelKind::many;
  }
  if (options.impurity != Impurity::entropy && SmallLabel::can_hold(target, weights)) {
    return LabelKind::small;
  }
  return CountedLabel::can_hold(target, weights) ? LabelKind::counted : LabelKind::weighted;
}

std::unique_ptr<TreeGrower::Strategy> strategy(const RankedColumns& columns, const Target& target,
                                               const GrowOptions& options, LabelKind labels) {
  if (!options.horospheres.places.empty()) {
    return horosphere_strategy(columns, target, options,
                               labels == LabelKind::small || labels == LabelKind::counted);
  }
  const auto by = [&]<class Criterion>() -> std::unique_ptr<TreeGrower::Strategy> {
    return std::make_unique<GrowBy<Criterion>>(columns, target, options);
  };
  if (target.task == Task::regression) {
    return target.width == 1 ? by.template operator()<SquaredError<1>>()
                             : by.template operator()<SquaredError<0>>();
  }
  switch (labels) {
    case LabelKind::small:
      return by.template operator()<Gini<SmallLabel>>();
    case LabelKind::counted:
      return options.impurity == Impurity::entropy ? by.template operator()<Entropy<CountedLabel>>()
                                                   : by.template operator()<Gini<CountedLabel>>();
    case LabelKind::many:
      return options.impurity == Impurity::entropy ? by.template operator()<ManyClassEntropy>()
                                                   : by.template operator()<ManyClassGini>();
    case LabelKind::weighted:
      break;
  }
  return options.impurity == Impurity::entropy ? by.template operator()<Entropy<WeightedLabel>>()
                                               : by.template operator()<Gini<WeightedLabel>>();
}

}  // namespace

TreeGrower::TreeGrower(const RankedColumns& columns, const Target& target,
                       const GrowOptions& options)
    : columns_(columns), target_(target), options_(options) {}

TreeGrower::~TreeGrower() = default;

GrownTree TreeGrower::grow(std::span<const double> weights, std::uint64_t seed) {
  const LabelKind labels = label_kind(target_, options_, weights);
  std::unique_ptr<Strategy>& chosen = strategies_[static_cast<std::size_t>(labels)];
  if (!chosen) {
    chosen = strategy(columns_, target_, options_, labels);
  }
  return chosen->grow(weights, seed);
}

}  // namespace bentwood
