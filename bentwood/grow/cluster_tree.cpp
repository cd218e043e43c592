#include "bentwood/grow/cluster_tree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bentwood/base/parallel.hpp"
#include "bentwood/model/own_columns.hpp"

namespace bentwood {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Two terms that cancel leave rounding, whose standard deviation is this share of theirs at most.
constexpr double rounding = 1e-10;

/// The score, a row, below which columns are equals (least_against), and that of a sum that is cut without looking further
/// (enough): beyond both, trees gain more by being different. Only differences of BIC mean the same in every column.
struct Saturation {
  double least_against = -infinity;
  double enough = -infinity;
};
Saturation saturation(ClusterCriterion criterion) {
  const bool is_difference =
      criterion == ClusterCriterion::fast_bic || criterion == ClusterCriterion::em_bic;
  return is_difference ? Saturation{0, -1} : Saturation{};
}

/// A number between two neighbours: their mean, or the lower one where that rounds up to the upper.
double between(double lower, double upper) {
  const double middle = lower / 2 + upper / 2;
  return middle >= lower && middle < upper ? middle : lower;
}

/// What a leaf says: its share of the rows.
struct LeafShare {
  double share;
  void write_value(std::span<double> value) const { value.front() = share; }
};

/// Summed up in the order of the values, so that it does not depend on that of the rows; and of halves, whose range is a number.
double standard_deviation(std::span<const double> values, const std::uint32_t* row_at) {
  const auto n = static_cast<double>(values.size());
  const double least = values[row_at[0]] / 2;
  const double range = values[row_at[values.size() - 1]] / 2 - least;
  if (!(range > 0)) {
    return 0;
  }
  double sum = 0;
  double squares = 0;
  for (std::size_t place = 0; place < values.size(); ++place) {
    const double relative = (values[row_at[place]] / 2 - least) / range - 0.5;
    sum += relative;
    squares += relative * relative;
  }
  return range * (2 * std::sqrt(std::max(0.0, squares / n - (sum / n) * (sum / n))));
}

}  // namespace

ClusterSoil::ClusterSoil(const RankedColumns& ranked)
    : columns(ranked),
      by_column(Matrix::uninitialized(ranked.size(), ranked.n_rows())),
      scales(ranked.size()) {
  constexpr std::size_t columns_a_block = 4;
  const MatrixView values = ranked.values();
  parallel_blocks(ranked.size(), columns_a_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = 0; row < values.n_rows(); ++row) {
      for (std::size_t column = begin; column < end; ++column) {
        by_column(column, row) = values(row, column);
      }
    }
    for (std::size_t column = begin; column < end; ++column) {
      scales[column] = standard_deviation(by_column.row(column), ranked.order(column).row_at);
    }
  });
}

ClusterTreeGrower::ClusterTreeGrower(const ClusterSoil& soil, const ClusterOptions& options)
    : soil_(soil),
      options_(options),
      rows_(soil.columns),
      cuts_(options.criterion, options.limits),
      gaussians_(ClusterCriterion::fast_bic, options.limits),
      draw_(soil.columns.size()),
      units_(options.criterion == ClusterCriterion::fast_bic_raw
                 ? std::vector<double>(soil.columns.size(), 1.0)
                 : soil.scales),
      scores_(soil.columns.size()) {}

GrownClusters ClusterTreeGrower::grow(std::span<const std::uint32_t> drawn, std::uint64_t seed) {
  rows_.take(drawn);
  doubts_.assign(1, 1.0);
  builder_.emplace(1, soil_.columns.size(), 0);
  open_.push_back({0, 0, rows_.n_rows(), 0, seed, std::vector<double>(soil_.columns.size(), 0.0)});
  while (!open_.empty()) {
    throw_if_interrupted();
    OpenNode next = std::move(open_.back());
    open_.pop_back();
    split_or_leave(std::move(next));
  }
  GrownClusters result{{{}, builder_->importances()}, doubts_};
  result.grown.tree = builder_->take_tree();
  return result;
}

void ClusterTreeGrower::split_or_leave(OpenNode open) {
  builder_->set_weight(open.node, static_cast<double>(open.size()));
  if (open.size() >= options_.min_samples_split && open.depth < options_.max_depth) {
    NodeRandom random(open.key);
    if (options_.projection != Projection::sparse) {
      score_columns(open);
    }
    if (const Found found = best_projection(open, random); found.score < infinity) {
      divide(open, found, random);
      return;
    }
  }
  builder_->make_leaf(
      open.node, LeafShare{static_cast<double>(open.size()) / static_cast<double>(rows_.n_rows())});
}

/// Scores the columns that are drawn for a node, adds to the evidence against them and ranks them by it.
void ClusterTreeGrower::score_columns(OpenNode& open) {
  const double least =
      saturation(options_.criterion).least_against * static_cast<double>(open.size());
  std::ranges::fill(scores_, infinity);
  ranking_.clear();
  const std::size_t n_columns = soil_.columns.size();
  draw_.start(NodeRandom::child_key(open.key, 2), options_.max_features < n_columns);
  ProjectionTerms axis{{0}, {1.0}};
  while (!draw_.is_empty() && draw_.n_drawn() < options_.max_features) {
    const std::size_t column = draw_.next();
    axis.columns.front() = static_cast<std::uint32_t>(column);
    const double score = score_terms(open, axis);
    if (score < infinity) {
      scores_[column] = score;
      open.against[column] += std::max(score, least);
      ranking_.push_back(static_cast<std::uint32_t>(column));
    }
  }
  const auto by_evidence = [&](std::uint32_t a, std::uint32_t b) {
    return open.against[a] != open.against[b]
               ? open.against[a] < open.against[b]
               : NodeRandom::child_key(open.key, 3 + a) < NodeRandom::child_key(open.key, 3 + b);
  };
  const std::size_t n_best = std::min(ranking_.size(), longest_ranking);
  std::ranges::partial_sort(ranking_, ranking_.begin() + static_cast<std::ptrdiff_t>(n_best),
                            by_evidence);
}

/// The best of what a node looks at, of equals the first; or a sum that is good enough.
ClusterTreeGrower::Found ClusterTreeGrower::best_projection(const OpenNode& open,
                                                            NodeRandom& random) {
  Found best;
  const auto consider = [&](double score, const ProjectionTerms& terms) {
    if (score < best.score) {
      best = {score, terms};
    }
  };
  ProjectionTerms terms;
  const std::size_t n_columns = soil_.columns.size();
  if (options_.projection == Projection::sparse) {
    const double density =
        options_.density > 0 ? options_.density : 1 / static_cast<double>(n_columns);
    const std::size_t n_projections = std::min(options_.max_features, n_columns);
    for (std::size_t drawn = 0; drawn < n_projections; ++drawn) {
      draw_sparse(n_columns, density, random, terms);
      consider(score_terms(open, terms), terms);
    }
    return best;
  }
  const bool guided = options_.projection == Projection::guided && options_.n_projections > 0;
  if (!guided) {
    for (std::uint32_t column = 0; column < n_columns; ++column) {
      consider(scores_[column], {{column}, {1.0}});
    }
    return best;
  }
  const double enough = saturation(options_.criterion).enough * static_cast<double>(open.size());
  for (std::size_t drawn = 0;
       drawn < options_.n_projections && !ranking_.empty() && best.score > enough; ++drawn) {
    draw_guided(ranking_, units_, random, terms);
    consider(terms.columns.size() == 1 ? scores_[terms.columns.front()] : score_terms(open, terms),
             terms);
  }
  return best;
}

double ClusterTreeGrower::score_terms(const OpenNode& open, const ProjectionTerms& terms) {
  constexpr std::size_t values_between_questions = std::size_t{1} << 17U;
  n_scored_ += open.size();
  if (n_scored_ >= values_between_questions) {
    n_scored_ = 0;
    throw_if_interrupted();
  }
  double spread = 0;
  if (terms.columns.size() > 1) {
    for (std::size_t term = 0; term < terms.columns.size(); ++term) {
      spread += std::abs(terms.coefficients[term]) * soil_.scales[terms.columns[term]];
    }
  }
  return cuts_.score(sorted_values(open, terms), rounding * spread);
}

std::span<const double> ClusterTreeGrower::sorted_values(const OpenNode& open,
                                                         const ProjectionTerms& terms) {
  values_.resize(std::max(values_.size(), open.size()));
  const std::span<double> values = std::span(values_).first(open.size());
  if (terms.columns.size() == 1) {
    const double* const column = soil_.by_column.row(terms.columns.front()).data();
    std::ranges::transform(rows_.rows(terms.columns.front(), open.begin, open.end), values.begin(),
                           [column](std::uint32_t row) { return column[row]; });
    return values;
  }
  std::ranges::transform(rows_.rows(terms.columns.front(), open.begin, open.end), values.begin(),
                         [&](std::uint32_t row) { return value(terms, row); });
  sorter_.sort(values);
  return values;
}

double ClusterTreeGrower::value(const ProjectionTerms& terms, std::uint32_t row) const {
  if (terms.columns.size() == 1) {
    return soil_.by_column(terms.columns.front(), row);
  }
  return oblique_value(terms.columns, terms.coefficients,
                       [&](std::uint32_t column) { return soil_.by_column(column, row); });
}

void ClusterTreeGrower::divide(const OpenNode& open, const Found& found, NodeRandom& random) {
  score_terms(open, found.terms);
  const std::size_t cut = cuts_.draw(options_.temperature, uniform(random));
  const double threshold = between(values_[cut - 1], values_[cut]);
  const std::size_t n_left = rows_.divide(open.begin, open.end, [&](std::uint32_t row) {
    return value(found.terms, row) <= threshold;
  });
  doubts_[open.node] = doubt(open, cut);
  doubts_.resize(doubts_.size() + 2, 1.0);
  const auto weight = static_cast<double>(open.size());
  const std::uint32_t left =
      found.terms.columns.size() == 1
          ? builder_->split(open.node, found.terms.columns.front(), threshold, weight)
          : builder_->split_oblique(open.node, found.terms.columns, found.terms.coefficients,
                                    threshold, weight);
  const std::size_t middle = open.begin + n_left;
  // The left one is split first.
  open_.push_back({left + 1, middle, open.end, open.depth + 1, NodeRandom::child_key(open.key, 1),
                   open.against});
  open_.push_back(
      {left, open.begin, middle, open.depth + 1, NodeRandom::child_key(open.key, 0), open.against});
}

/// Of the cut of the values that were looked at last.
double ClusterTreeGrower::doubt(const OpenNode& open, std::size_t cut) {
  double difference = cuts_.score_of(cut);
  if (options_.criterion != ClusterCriterion::fast_bic) {
    gaussians_.score(std::span(values_).first(open.size()));
    difference = gaussians_.score_of(cut);
  }
  return doubt_of_two(difference / static_cast<double>(open.size()));
}

}  // namespace bentwood
