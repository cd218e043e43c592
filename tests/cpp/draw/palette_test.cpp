#include "bentwood/draw/palette.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace bentwood {
namespace {

using Colour = std::array<double, 3>;
using Transform = std::array<Colour, 3>;

Colour product(const Transform& matrix, const Colour& vector) {
  Colour result{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      result.at(row) += matrix.at(row).at(column) * vector.at(column);
    }
  }
  return result;
}

/// The light of a colour of sRGB, of which a share stands on white.
Colour light(std::string_view hex, double opacity) {
  Colour result{};
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const double full = std::stoi(std::string(hex.substr(1 + 2 * channel, 2)), nullptr, 16) / 255.0;
    const double value = 1 - opacity * (1 - full);
    result.at(channel) = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  }
  return result;
}

/// CIELAB of light of sRGB's primaries, where 2.3 is a difference that people just notice.
Colour lab(const Colour& light) {
  constexpr Transform to_xyz{{{0.4124564, 0.3575761, 0.1804375},
                              {0.2126729, 0.7151522, 0.0721750},
                              {0.0193339, 0.1191920, 0.9503041}}};
  constexpr Colour white{0.95047, 1, 1.08883};
  Colour xyz = product(to_xyz, light);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const double share = xyz.at(channel) / white.at(channel);
    xyz.at(channel) = share > 216.0 / 24389 ? std::cbrt(share) : (24389.0 / 27 * share + 16) / 116;
  }
  return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

/// Light as an eye sees it: a whole one, and those without red, green or blue cones (Machado, Oliveira
/// and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009).
constexpr std::array<Transform, 4> eyes{{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                         {{{0.152286, 1.052583, -0.204868},
                                           {0.114503, 0.786281, 0.099216},
                                           {-0.003882, -0.048116, 1.051998}}},
                                         {{{0.367322, 0.860646, -0.227968},
                                           {0.280085, 0.672501, 0.047413},
                                           {-0.011820, 0.042940, 0.968881}}},
                                         {{{1.255528, -0.076749, -0.178779},
                                           {-0.078411, 0.930809, 0.147602},
                                           {0.004733, 0.691367, 0.303900}}}}};

/// The distance of the two most similar of the first classes.
double least_distance(std::size_t n_classes, double opacity, const Transform& eye) {
  std::vector<Colour> seen;
  for (std::size_t label = 0; label < n_classes; ++label) {
    Colour colour = product(eye, light(class_colour(label), opacity));
    std::ranges::transform(colour, colour.begin(),
                           [](double value) { return std::clamp(value, 0.0, 1.0); });
    seen.push_back(lab(colour));
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t first = 0; first < n_classes; ++first) {
    for (std::size_t second = first + 1; second < n_classes; ++second) {
      const Colour& a = seen[first];
      const Colour& b = seen[second];
      least = std::min(least, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
  }
  return least;
}

TEST(ClassColour, looks_like_no_other_of_24) {
  EXPECT_EQ(n_class_colours, 24U);
  for (const Transform& eye : eyes) {
    const bool whole = &eye == eyes.data();
    EXPECT_GE(least_distance(24, 1, eye), whole ? 20 : 13);
    EXPECT_GE(least_distance(24, 0.32, eye), whole ? 6 : 4.3);
  }
  // As good as the palette of Okabe and Ito for the eyes that have most trouble with it.
  EXPECT_LT(least_distance(8, 0.32, eyes[2]), 4.5);
  EXPECT_EQ(class_colour(n_class_colours), class_colour(0));
}

TEST(ClassMark, makes_96_classes_different) {
  std::set<std::pair<std::string_view, Mark>> looks;
  for (std::size_t label = 0; label < 96; ++label) {
    looks.emplace(class_colour(label), class_mark(label));
  }
  EXPECT_EQ(looks.size(), 96U);
  EXPECT_EQ(class_mark(7), Mark::disk);
  EXPECT_EQ(class_mark(8), Mark::square);
  EXPECT_EQ(class_mark(96), Mark::disk);
}

}  // namespace
}  // namespace bentwood
