#include "cli/report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "bentwood/geometry/manifold.hpp"

namespace bentwood::cli {
namespace {

ColumnFacts column_facts(const TableColumn& column) {
  ColumnFacts facts;
  facts.name = column.name;
  facts.numeric = column.is_numeric();
  if (!facts.numeric) {
    return facts;
  }
  facts.smallest = std::numeric_limits<double>::infinity();
  facts.largest = -facts.smallest;
  for (const double value : std::get<std::vector<double>>(column.values)) {
    if (std::isfinite(value)) {
      facts.smallest = std::min(facts.smallest, value);
      facts.largest = std::max(facts.largest, value);
    } else {
      ++facts.n_not_finite;
    }
  }
  return facts;
}

LabelFacts label_facts(const Table& table, const std::string& column) {
  LabelFacts facts{column, {}};
  std::unordered_map<std::string, std::size_t> place;
  for (std::string& label : table.text(column)) {
    const auto [found, is_new] = place.try_emplace(label, facts.counts.size());
    if (is_new) {
      facts.counts.emplace_back(std::move(label), 0);
    }
    ++facts.counts[found->second].second;
  }
  // By frequency; equally frequent ones stay in the order of their first rows.
  std::ranges::stable_sort(facts.counts, std::greater<>(),
                           &std::pair<std::string, std::size_t>::second);
  return facts;
}

/// The values at `radius_shares` of a sorted list, with linear interpolation between neighbours.
std::vector<double> quantiles(std::vector<double> values) {
  std::vector<double> result;
  if (values.empty()) {
    return result;
  }
  std::ranges::sort(values);
  for (const double share : radius_shares) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double part = place - static_cast<double>(below);
    result.push_back(values[below] + part * (values[above] - values[below]));
  }
  return result;
}

/// The rows that are on the manifold, which alone have radii.
Matrix rows_on(const Manifold& manifold, Points points) {
  const std::vector<std::uint8_t> on = manifold.contains(points);
  const auto n_on = static_cast<std::size_t>(std::ranges::count_if(on, [](auto is) { return is; }));
  Matrix result(n_on, points.rows.n_cols());
  std::size_t next = 0;
  for (std::size_t row = 0; row < on.size(); ++row) {
    if (on[row] != 0) {
      std::ranges::copy(points.rows.row(row), result.row(next++).begin());
    }
  }
  return result;
}

ManifoldFacts manifold_facts(const PointsFile& file, const Signature& signature,
                             Coordinates coordinates) {
  const Manifold manifold(signature, coordinates);
  const Points points = file.points();
  const MessageStyle style =
      message_style(file, "mend it with bentwood convert --off-manifold project");
  const Membership membership = check_membership(signature, coordinates, points, style);
  ManifoldFacts facts;
  facts.signature = signature.text();
  facts.coordinates = coordinates;
  facts.problem = offence(signature, coordinates, points, membership, OffManifold::error, style);
  facts.warning = precision_warning(signature, coordinates, points, membership);
  const Matrix on = rows_on(manifold, points);
  facts.n_on = on.n_rows();
  const Matrix radii = manifold.radii({on.view(), points.precision});
  for (std::size_t factor = 0; factor < signature.factors().size(); ++factor) {
    std::vector<double> column(on.n_rows());
    for (std::size_t row = 0; row < column.size(); ++row) {
      column[row] = radii(row, factor);
    }
    facts.factors.push_back({signature.factors()[factor].name(), membership.factors[factor],
                             quantiles(std::move(column))});
  }
  return facts;
}

bool all_finite(MatrixView points) {
  for (std::size_t row = 0; row < points.n_rows(); ++row) {
    if (!std::ranges::all_of(points.row(row), [](double value) { return std::isfinite(value); })) {
      return false;
    }
  }
  return true;
}

}  // namespace

Report make_report(const PointsFile& file, const std::optional<Signature>& signature,
                   Coordinates coordinates) {
  Report report;
  report.source = file.table.source();
  report.n_rows = file.table.n_rows();
  for (const TableColumn& column : file.table.columns()) {
    report.columns.push_back(column_facts(column));
  }
  if (file.dataset.label) {
    report.label = label_facts(file.table, file.dataset.label->name);
  }
  if (signature) {
    require_columns(file, *signature, coordinates);
    report.manifold = manifold_facts(file, *signature, coordinates);
  } else if (all_finite(file.dataset.points)) {
    report.guesses = guess_signatures(file.points());
  }
  return report;
}

}  // namespace bentwood::cli
